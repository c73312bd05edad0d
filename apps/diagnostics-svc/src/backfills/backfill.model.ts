import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type WindowBackfillRow } from '@clew/persistence';
import type { RuleBackfill, StoredBackfill } from './backfill.ts';

export type BackfillDocument = WindowBackfillRow<StoredBackfill>;

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const IN_ORDER = { state: 1, createdAt: -1, _id: -1 } as const;
export const BY_STATE = { projectId: 1, ...IN_ORDER } as const;
export const BY_RULE = { projectId: 1, ruleId: 1, ...IN_ORDER } as const;

const backfillSchema = new Schema<BackfillDocument>(
  {
    ...{ _id: text, projectId: text, ruleId: text, requestId: text },
    ...{ startMs: number, endMs: number, maxConversations: number, conversationsSeen: number, runsQueued: number },
    ...{ state: text, cursor: { type: String, default: null }, failureReason: { type: String, default: null } },
    ...{ createdAt: number, endedAt: { type: Number, default: null } },
    ...scheduleFields,
  },
  { collection: 'rule_backfills', versionKey: false },
);

// Lists backfills, of one state or of one Rule: a state that is not given names all of them.
backfillSchema.index(BY_STATE);
backfillSchema.index(BY_RULE);

export function backfillModel(connection: Connection): Model<BackfillDocument> {
  return modelOf(connection, 'RuleBackfill', backfillSchema);
}

export function backfillCollection(connection: Connection): mongo.Collection<BackfillDocument> {
  return nativeDb(connection).collection(backfillModel(connection).collection.name);
}

export function backfillOf({ _id, ...rest }: BackfillDocument): RuleBackfill {
  return { id: _id, ...rest };
}
