import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type Database, type ScheduleFields } from '@clew/persistence';
import type { StoredDataset } from './dataset.ts';

/** Stored Dataset; a hidden one is a scheduled task for its own removal. */
export type DatasetDocument = Omit<StoredDataset, 'id'> &
  ScheduleFields & {
    _id: string;
    /** State from which the content id is computed; 2 KiB, left out of reads for callers. */
    contentState: mongo.Binary;
    /**
     * Hidden from `deleting` on. `deleted` rows are kept for a while, so that a repeated DELETE gets the same answer.
     */
    state: 'active' | 'deleting' | 'deleted';
    /** Time at which its removal ended. */
    goneAt?: Date;
  };

/** Time for which a repeated DELETE of a removed Dataset still succeeds. */
const TOMBSTONE_TTL_SECONDS = 30 * 24 * 3600;

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const datasetSchema = new Schema<DatasetDocument>(
  {
    _id: text,
    projectId: text,
    name: text,
    description: { type: String, default: null },
    policy: { type: Schema.Types.Mixed, default: null },
    policyRevision: number,
    collectionEnabled: { type: Boolean, required: true },
    collectedRedaction: text,
    collectionCatchUp: { type: Schema.Types.Mixed, default: null },
    dailySyntheses: number,
    exampleCount: number,
    version: number,
    contentId: text,
    contentState: { type: Schema.Types.Buffer, required: true },
    createdAt: number,
    updatedAt: number,
    state: text,
    goneAt: Date,
    ...scheduleFields,
  },
  { collection: 'datasets', versionKey: false },
);
datasetSchema.index({ projectId: 1, state: 1, createdAt: -1, _id: -1 });
datasetSchema.index({ goneAt: 1 }, { expireAfterSeconds: TOMBSTONE_TTL_SECONDS });

export function datasetModel(connection: Connection): Model<DatasetDocument> {
  return modelOf(connection, 'Dataset', datasetSchema);
}

export function datasetCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<DatasetDocument> {
  return nativeDb(connection).collection(datasetModel(connection).collection.name);
}
