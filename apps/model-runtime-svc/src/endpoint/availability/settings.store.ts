import { Schema, type Connection, type Model } from 'mongoose';
import type { ModelSettings } from '@clew/contracts';
import { modelOf, type Database } from '@clew/persistence';

/** `_id` is the project. */
type SettingsDocument = ModelSettings & { _id: string; updatedAt: number };

const settingsSchema = new Schema<SettingsDocument>(
  {
    _id: { type: String, required: true },
    defaultModel: { type: String, default: null },
    dailySystemTokens: { type: Number, default: null },
    updatedAt: { type: Number, required: true },
  },
  { collection: 'model_settings', versionKey: false },
);

export function modelSettingsModel(connection: Connection): Model<SettingsDocument> {
  return modelOf(connection, 'ModelSettings', settingsSchema);
}

export interface ModelSettingsStore {
  /** A project that set nothing has the defaults. */
  get(projectId: string): Promise<ModelSettings>;
  /** Changes what is given, and gives what holds then. */
  change(projectId: string, change: Partial<ModelSettings>, nowMs: number): Promise<ModelSettings>;
}

export function createModelSettingsStore(database: Database): ModelSettingsStore {
  const model = modelSettingsModel(database.connection);
  return {
    async get(projectId) {
      return toSettings(await model.findById(projectId).lean());
    },
    async change(projectId, change, nowMs) {
      const $set = { ...change, updatedAt: nowMs };
      const changed = await model
        .findOneAndUpdate({ _id: projectId }, { $set }, { upsert: true, returnDocument: 'after' })
        .lean();
      return toSettings(changed);
    },
  };
}

function toSettings(document: Partial<ModelSettings> | null): ModelSettings {
  return {
    defaultModel: document?.defaultModel ?? null,
    dailySystemTokens: document?.dailySystemTokens ?? null,
  };
}
