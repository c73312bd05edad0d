import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import { PROVIDERS_COLLECTION, type StoredProvider } from './provider.ts';

/** `_id` is `<project>:<name>`. */
export type ProviderDocument = StoredProvider & {
  _id: string;
  /**
   * Counter that is increased whenever something begins to name the provider, so that a concurrent removal conflicts
   * with that write.
   */
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
    prices: { type: [Schema.Types.Mixed], default: undefined },
    revision: number,
    pins: { type: Number, default: 0 },
    createdAt: number,
    updatedAt: number,
  },
  { collection: PROVIDERS_COLLECTION, versionKey: false },
);
providerSchema.index({ projectId: 1, name: 1 }, { unique: true });
// Index for rewrapping keys after a rotation of the secret.
providerSchema.index({ 'apiKey.kid': 1 });

export function providerModel(connection: Connection): Model<ProviderDocument> {
  return modelOf(connection, 'Provider', providerSchema);
}

/** Models that one referrer of a project names; `_id` is `<project>:<kind>:<referrer>`. */
export interface ModelReferenceDocument {
  _id: string;
  projectId: string;
  models: string[];
  /** Providers of those models. */
  providers: string[];
  /** Revision of the last change received, if the referrer numbers its changes. */
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
