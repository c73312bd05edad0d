import type { KnowledgeSettings } from '@clew/contracts';
import { createProjectSettings, type Database, type ProjectSettings } from '@clew/persistence';

/**
 * `enabledSince`: time at which extraction was switched on; conversations that ended before it are left to backfills.
 */
export type StoredSettings = KnowledgeSettings & { enabledSince: number };

export type SettingsStore = ProjectSettings<StoredSettings>;

/** Extraction is off by default, because it costs model calls. */
const DEFAULTS: StoredSettings = { extractionEnabled: false, enabledSince: 0 };

export function createSettingsStore(database: Database): SettingsStore {
  return createProjectSettings(database, { collection: 'settings', defaults: DEFAULTS });
}
