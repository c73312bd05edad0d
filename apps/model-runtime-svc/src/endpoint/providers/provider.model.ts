import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import { PROVIDERS_COLLECTION, type StoredProvider } from './provider.ts';

/** `_id` is `<project>:<name>`. */
export type ProviderDocument = StoredProvider & {
  _id: string;
  /** Grows whenever something begins to name it, so that a removal at the same time runs into the write. */
  pins: number;
};

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const providerSchema = new Schema<ProviderDocument>(
  {
    _id: text,
    projectId: text,
    name: text,
    baseUrl: text,
    apiKey: { type: Schema.Types.Mixed, default: null },
    revision: number,
    pins: { type: Number, default: 0 },
    createdAt: number,
    updatedAt: number,
  },
  { collection: PROVIDERS_COLLECTION, versionKey: false },
);
providerSchema.index({ projectId: 1, name: 1 }, { unique: true });
// For wrapping keys anew after a rotation.
providerSchema.index({ 'apiKey.kid': 1 });

export function providerModel(connection: Connection): Model<ProviderDocument> {
  return modelOf(connection, 'Provider', providerSchema);
}

/** Which models something of a project names; `_id` is `<project>:<kind>:<referrer>`. */
export interface ModelReferenceDocument {
  _id: string;
  projectId: string;
  models: string[];
  /** The providers of those models. */
  providers: string[];
  /** Where its owner counts its changes: the last one that was heard of. */
  revision?: number;
}

const referenceSchema = new Schema<ModelReferenceDocument>(
  {
    _id: text,
    projectId: text,
    models: { type: [String], required: true },
    providers: { type: [String], required: true },
    revision: Number,
  },
  { collection: 'model_references', versionKey: false },
);
referenceSchema.index({ projectId: 1, providers: 1 });

export function modelReferenceModel(connection: Connection): Model<ModelReferenceDocument> {
  return modelOf(connection, 'ModelReference', referenceSchema);
}
