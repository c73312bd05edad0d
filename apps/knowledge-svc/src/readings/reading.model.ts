import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type Database, type ScheduleFields } from '@clew/persistence';
import type { Reading } from './reading.ts';

export type ReadingDocument = Omit<Reading, 'id'> & Omit<ScheduleFields, 'dueAt'> & { _id: string };

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const readingSchema = new Schema<ReadingDocument>(
  {
    ...{ _id: text, projectId: text, goalId: text, goalRevision: number, conversationId: text },
    ...{ snapshotId: text, snapshotRevision: number, messagesHash: text, lastActivityAt: number, requestId: String },
    ...{ state: text, since: number, backfillIds: [String], askedSnapshotId: String },
    ...{ rounds: number, failures: number, read: String, readHash: String },
    ...scheduleFields,
  },
  { collection: 'readings', versionKey: false },
);
// Serves the count of requested rows of a goal, and the lookup of its held rows.
readingSchema.index({ projectId: 1, goalId: 1, state: 1, _id: 1 });
readingSchema.index({ projectId: 1, conversationId: 1, _id: 1 });

export function readingModel(connection: Connection): Model<ReadingDocument> {
  return modelOf(connection, 'Reading', readingSchema);
}

export function readingCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<ReadingDocument> {
  return nativeDb(connection).collection(readingModel(connection).collection.name);
}
