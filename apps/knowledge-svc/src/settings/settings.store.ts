import type { KnowledgeSettings } from '@clew/contracts';
import { createProjectSettings, type Database, type ProjectSettings } from '@clew/persistence';

/** `enabledSince`: what was said before it was switched on is left to backfills. */
export type StoredSettings = KnowledgeSettings & { enabledSince: number };

export type SettingsStore = ProjectSettings<StoredSettings>;

/** Extraction costs calls of a model: nothing does so until somebody wants it. */
const DEFAULTS: StoredSettings = { extractionEnabled: false, enabledSince: 0 };

export function createSettingsStore(database: Database): SettingsStore {
  return createProjectSettings(database, { collection: 'settings', defaults: DEFAULTS });
}
