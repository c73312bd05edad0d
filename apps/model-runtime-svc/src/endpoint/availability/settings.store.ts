import type { ModelSettings } from '@clew/contracts';
import { createProjectSettings, type Database, type ProjectSettings } from '@clew/persistence';

export const MODEL_SETTINGS = 'model_settings';

export type ModelSettingsStore = ProjectSettings<ModelSettings>;

const DEFAULTS: ModelSettings = { defaultModel: null, dailySystemTokens: null };

export function createModelSettingsStore(database: Database): ModelSettingsStore {
  return createProjectSettings(database, { collection: MODEL_SETTINGS, defaults: DEFAULTS });
}
