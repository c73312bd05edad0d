import type { KnowledgeSettings } from '@clew/contracts';
import { createProjectSettings, type Database, type ProjectSettings } from '@clew/persistence';

export type SettingsStore = ProjectSettings<KnowledgeSettings>;

/** Extraction costs calls of a model: nothing does so until somebody wants it. */
const DEFAULTS: KnowledgeSettings = { extractionEnabled: false };

export function createSettingsStore(database: Database): SettingsStore {
  return createProjectSettings(database, { collection: 'settings', defaults: DEFAULTS });
}
