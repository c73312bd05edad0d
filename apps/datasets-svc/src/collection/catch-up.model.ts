import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { CollectionObjective } from '@clew/contracts';
import { modelOf, nativeDb, scheduleFields, type Database, type ScheduleFields } from '@clew/persistence';

/** Catch-up of a Dataset, whose id it has: due as long as pages remain, and deleted afterwards. */
export interface CatchUpDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  datasetId: string;
  objective: CollectionObjective;
  /** Window of the conversations or items, both ends inclusive. */
  fromMs: number;
  toMs: number;
  /** Number of conversations or items that may follow. */
  left: number;
  /** Start of the next page; null before the first. */
  cursor: string | null;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const catchUpSchema = new Schema<CatchUpDocument>(
  {
    ...{ _id: text, projectId: text, datasetId: text, objective: text },
    ...{ fromMs: number, toMs: number, left: number, cursor: { type: String, default: null } },
    ...scheduleFields,
  },
  { collection: 'collection_catch_ups', versionKey: false },
);
catchUpSchema.index({ projectId: 1, datasetId: 1 });

export function catchUpModel(connection: Connection): Model<CatchUpDocument> {
  return modelOf(connection, 'CatchUp', catchUpSchema);
}

export function catchUpCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<CatchUpDocument> {
  return nativeDb(connection).collection(catchUpModel(connection).collection.name);
}
