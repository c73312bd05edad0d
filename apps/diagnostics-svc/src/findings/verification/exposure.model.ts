import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb } from '@clew/persistence';

/** Clean exposure of a Finding that awaits verification; at most as many as its verification requires. */
export interface ExposureDocument {
  /** Derived from the Finding, the repair, and the conversation, which is not named: it may be erased. */
  _id: string;
  projectId: string;
  findingId: string;
}

const text = { type: String, required: true } as const;

const exposureSchema = new Schema<ExposureDocument>(
  { _id: text, projectId: text, findingId: text },
  { collection: 'exposures', versionKey: false },
);
exposureSchema.index({ projectId: 1, findingId: 1 });

export function exposureModel(connection: Connection): Model<ExposureDocument> {
  return modelOf(connection, 'Exposure', exposureSchema);
}

export function exposureCollection(connection: Connection): mongo.Collection<ExposureDocument> {
  return nativeDb(connection).collection(exposureModel(connection).collection.name);
}
