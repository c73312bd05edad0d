import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type Database, type WindowBackfillRow } from '@clew/persistence';
import type { KnowledgeBackfill, StoredBackfill } from './backfill.ts';

export type BackfillDocument = WindowBackfillRow<StoredBackfill>;

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const backfillSchema = new Schema<BackfillDocument>(
  {
    ...{ _id: text, projectId: text, goalId: text, requestId: text, state: text, cursor: String },
    ...{ startMs: number, endMs: number, maxConversations: number, isPaged: { type: Boolean, required: true } },
    ...{ pagesDone: number, conversationsSeen: number, conversationsPending: number, conversationsFailed: number },
    ...{ itemsCreated: number, itemsMerged: number, rejectedQuotes: number, rejected: Schema.Types.Mixed },
    failureReason: String,
    ...{ createdAt: number, endedAt: Number },
    ...scheduleFields,
  },
  { collection: 'backfills', versionKey: false },
);
backfillSchema.index({ projectId: 1, goalId: 1, createdAt: -1, _id: -1 });
backfillSchema.index({ projectId: 1, goalId: 1, state: 1 });
backfillSchema.index({ projectId: 1, createdAt: -1, _id: -1 });
backfillSchema.index({ projectId: 1, state: 1, createdAt: -1, _id: -1 });

export function backfillModel(connection: Connection): Model<BackfillDocument> {
  return modelOf(connection, 'KnowledgeBackfill', backfillSchema);
}

export function backfillCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<BackfillDocument> {
  return nativeDb(connection).collection(backfillModel(connection).collection.name);
}

export function backfillOf(document: BackfillDocument): KnowledgeBackfill {
  const { _id: id, dueAt: _d, leaseUntil: _l, claim: _c, attempts: _a, ...rest } = document;
  const { givenUpAt: _g, givenUpReason: _r, ...fields } = rest;
  return { id, ...fields };
}
