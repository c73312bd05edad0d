import { createProjectSettings, type Database, type ProjectSettings } from '@clew/persistence';

export interface DiagnosticSettings {
  automaticSchedulingEnabled: boolean;
}

export type SettingsStore = ProjectSettings<DiagnosticSettings>;

const DEFAULTS: DiagnosticSettings = { automaticSchedulingEnabled: true };

export function createSettingsStore(database: Database): SettingsStore {
  return createProjectSettings(database, { collection: 'settings', defaults: DEFAULTS });
}
