import type { ConversationQuery } from '@clew/contracts';
import type { CursorKey } from '@clew/kernel';
import { keysetFilter, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import { conversationKey, conversationModel, type ConversationDocument } from './conversation.model.ts';
import { termsOf } from './terms.ts';

export type ConversationFilter = Omit<ConversationQuery, 'limit' | 'cursor'>;

/** Something of a conversation has come. */
export interface Touch {
  projectId: string;
  conversationId: string;
  implicit: boolean;
  listed: boolean;
  startedAt: number;
  lastActivityAt: number;
}

/** What assembling a conversation sets. */
export type AssembledFields = Pick<
  ConversationDocument,
  | 'startedAt'
  | 'lastActivityAt'
  | 'listed'
  | 'spanCount'
  | 'messageCount'
  | 'errorCount'
  | 'agents'
  | 'models'
  | 'userId'
  | 'usage'
  | 'preview'
  | 'traceIds'
  | 'terms'
  | 'snapshotId'
  | 'contentHash'
  | 'readyHash'
  | 'revision'
>;

export interface ConversationStore {
  touch(touches: readonly Touch[], dueAt: number): Promise<void>;
  /** Makes those of these conversations that no span names, and that exist, be looked at again. */
  recheckImplicit(projectId: string, conversationIds: readonly string[], dueAt: number): Promise<void>;
  /** Takes the conversation that has been due the longest, for as long as the lease lasts. */
  claimDue(nowMs: number, leaseMs: number): Promise<ConversationDocument | undefined>;
  get(projectId: string, conversationId: string): Promise<ConversationDocument | undefined>;
  /** Saves what was assembled from the state at `seenTouches`; it stays due when it was touched meanwhile. */
  saveAssembled(
    tx: Transaction,
    conversation: ConversationDocument,
    seenTouches: number,
    fields: AssembledFields,
  ): Promise<void>;
  list(
    projectId: string,
    filter: ConversationFilter,
    page: { limit: number; after?: CursorKey | undefined },
  ): Promise<ConversationDocument[]>;
  setFindingCount(projectId: string, conversationId: string, findingCount: number, sequence: number): Promise<void>;
}

const NEWEST_FIRST: KeysetSort = [
  ['startedAt', -1],
  ['_id', -1],
];

export function createConversationStore(database: Database): ConversationStore {
  const model = conversationModel(database.connection);
  return {
    async touch(touches, dueAt) {
      if (touches.length === 0) return;
      await model.collection.bulkWrite(
        touches.map((touch) => ({ updateOne: { ...touchUpdate(touch, dueAt), upsert: true } })),
        { ordered: false },
      );
    },
    async recheckImplicit(projectId, conversationIds, dueAt) {
      if (conversationIds.length === 0) return;
      const _id = { $in: conversationIds.map((id) => conversationKey(projectId, id)) };
      await model.updateMany({ _id, implicit: true }, { $max: { dueAt }, $inc: { touches: 1 } });
    },
    async claimDue(nowMs, leaseMs) {
      const claimed = await model
        .findOneAndUpdate(
          { dueAt: { $gt: 0, $lte: nowMs }, leaseUntil: { $lte: nowMs } },
          { $set: { leaseUntil: nowMs + leaseMs } },
          { sort: { dueAt: 1 }, returnDocument: 'after' },
        )
        .lean<ConversationDocument>();
      return claimed ?? undefined;
    },
    async get(projectId, conversationId) {
      const document = await model.findById(conversationKey(projectId, conversationId)).lean<ConversationDocument>();
      return document ?? undefined;
    },
    async saveAssembled(tx, { _id }, seenTouches, fields) {
      await model
        .updateOne(
          { _id },
          [
            {
              $set: {
                ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }])),
                assembledTouches: seenTouches,
                leaseUntil: 0,
                dueAt: { $cond: [{ $eq: ['$touches', seenTouches] }, null, '$dueAt'] },
              },
            },
          ],
          { updatePipeline: true },
        )
        .session(tx);
    },
    async list(projectId, filter, { limit, after }) {
      const position = after === undefined ? [] : [keysetFilter(NEWEST_FIRST, after)];
      return await model
        .find({ $and: [conditionsOf(projectId, filter), ...position] }, { terms: 0 })
        .sort({ startedAt: -1, _id: -1 })
        .limit(limit)
        .lean<ConversationDocument[]>();
    },
    async setFindingCount(projectId, conversationId, findingCount, sequence) {
      await model.updateOne(
        { _id: conversationKey(projectId, conversationId), findingSequence: { $lte: sequence } },
        { $set: { findingCount, findingSequence: sequence, hasFinding: findingCount > 0 } },
      );
    },
  };
}

/** The native driver knows no defaults: what the schema would fill in is spelled out. */
function touchUpdate({ projectId, conversationId, implicit, listed, startedAt, lastActivityAt }: Touch, dueAt: number) {
  return {
    filter: { _id: conversationKey(projectId, conversationId) as never },
    update: {
      $min: { startedAt },
      $max: { lastActivityAt, dueAt, listed },
      $inc: { touches: 1 },
      $setOnInsert: {
        ...{ projectId, conversationId, implicit },
        ...{ assembledTouches: 0, leaseUntil: 0, spanCount: 0, messageCount: 0, errorCount: 0 },
        ...{ agents: [], models: [], userId: null, usage: { inputTokens: 0, outputTokens: 0 } },
        ...{ preview: '', traceIds: [], terms: [], snapshotId: null, contentHash: null, readyHash: null },
        ...{ revision: 0, findingCount: 0, findingSequence: 0, hasFinding: false },
      },
    },
  };
}

export function conditionsOf(projectId: string, filter: ConversationFilter): Record<string, unknown> {
  const { startedAfter, startedBefore, agent, model, userId, hasFinding, q } = filter;
  return {
    projectId,
    listed: true,
    ...(agent === undefined ? {} : { agents: agent }),
    ...(model === undefined ? {} : { models: model }),
    ...(userId === undefined ? {} : { userId }),
    ...(hasFinding === undefined ? {} : { hasFinding }),
    ...(q === undefined ? {} : { terms: { $all: termsOf([q]) } }),
    ...(startedAfter === undefined && startedBefore === undefined
      ? {}
      : {
          startedAt: {
            ...(startedAfter === undefined ? {} : { $gte: startedAfter }),
            ...(startedBefore === undefined ? {} : { $lt: startedBefore }),
          },
        }),
  };
}
