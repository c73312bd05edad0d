import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';

export interface VersionDocument extends DatasetKey {
  /** `<datasetId>:<version>` */
  _id: string;
  version: number;
  contentId: string;
  exampleCount: number;
  createdAt: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const versionSchema = new Schema<VersionDocument>(
  {
    _id: text,
    projectId: text,
    datasetId: text,
    version: number,
    contentId: text,
    exampleCount: number,
    createdAt: number,
  },
  { collection: 'dataset_versions', versionKey: false },
);
versionSchema.index({ projectId: 1, datasetId: 1, version: -1 }, { unique: true });

export function versionModel(connection: Connection): Model<VersionDocument> {
  return modelOf(connection, 'DatasetVersion', versionSchema);
}

export function versionCollection({ connection }: Database): mongo.Collection<VersionDocument> {
  return nativeDb(connection).collection(versionModel(connection).collection.name);
}
