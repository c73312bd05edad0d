import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type Database, type ScheduleFields } from '@clew/persistence';
import type { Extraction } from './extraction.ts';

export type ExtractionDocument = Omit<Extraction, 'id'> & Omit<ScheduleFields, 'dueAt'> & { _id: string };

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const extractionSchema = new Schema<ExtractionDocument>(
  {
    ...{ _id: text, projectId: text, goalId: text, goalRevision: number, conversationId: text },
    ...{ snapshotId: text, snapshotRevision: number, messagesHash: text, lastActivityAt: number, requestId: String },
    ...{ state: text, since: number, backfillIds: [String], askedSnapshotId: String },
    ...{ rounds: number, failures: number, read: String, readHash: String },
    ...scheduleFields,
  },
  { collection: 'extractions', versionKey: false },
);
// Serves the count of requested rows of a goal, and the lookup of its held rows.
extractionSchema.index({ projectId: 1, goalId: 1, state: 1, _id: 1 });
extractionSchema.index({ projectId: 1, conversationId: 1, _id: 1 });

export function extractionModel(connection: Connection): Model<ExtractionDocument> {
  return modelOf(connection, 'Extraction', extractionSchema);
}

export function extractionCollection({
  connection,
}: Pick<Database, 'connection'>): mongo.Collection<ExtractionDocument> {
  return nativeDb(connection).collection(extractionModel(connection).collection.name);
}
