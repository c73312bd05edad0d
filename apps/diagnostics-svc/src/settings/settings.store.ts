import { Schema, type Connection, type Model } from 'mongoose';
import { type Database, modelOf } from '@clew/persistence';

export interface DiagnosticSettings {
  automaticSchedulingEnabled: boolean;
}

type SettingsDocument = DiagnosticSettings & { _id: string; updatedAt: number };

const settingsSchema = new Schema<SettingsDocument>(
  {
    /** The project. */
    _id: { type: String, required: true },
    automaticSchedulingEnabled: { type: Boolean, required: true },
    updatedAt: { type: Number, required: true },
  },
  { collection: 'settings', versionKey: false },
);

export function settingsModel(connection: Connection): Model<SettingsDocument> {
  return modelOf(connection, 'DiagnosticSettings', settingsSchema);
}

export interface SettingsStore {
  /** A project that set nothing has the defaults. */
  get(projectId: string): Promise<DiagnosticSettings>;
  set(projectId: string, settings: DiagnosticSettings, nowMs: number): Promise<void>;
}

const DEFAULT_SETTINGS: DiagnosticSettings = { automaticSchedulingEnabled: true };

export function createSettingsStore(database: Database): SettingsStore {
  const model = settingsModel(database.connection);
  return {
    async get(projectId) {
      const document = await model.findById(projectId).lean();
      if (document === null) return DEFAULT_SETTINGS;
      return { automaticSchedulingEnabled: document.automaticSchedulingEnabled };
    },
    async set(projectId, settings, nowMs) {
      await model.updateOne({ _id: projectId }, { $set: { ...settings, updatedAt: nowMs } }, { upsert: true });
    },
  };
}
