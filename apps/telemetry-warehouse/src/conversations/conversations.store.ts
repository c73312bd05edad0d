import type { ConversationQuery } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import {
  readSlice,
  settlement,
  type ClaimedRow,
  type Database,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import {
  conversationKey,
  conversationModel,
  newConversation,
  type ConversationDocument,
} from './conversation.model.ts';
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

/** A trace that names a conversation now: where it was one of its own, it is to be looked at again. */
export interface Handover {
  projectId: string;
  traceId: string;
}

/** What assembling a conversation sets. */
export type AssembledFields = Pick<
  ConversationDocument,
  | 'implicit'
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
  | 'evidenceHash'
  | 'readyHash'
  | 'revision'
>;

/** A conversation as it was read, without its words. */
export type KnownConversation = Omit<ConversationDocument, 'terms'>;

export interface ConversationStore {
  touch(touches: readonly Touch[], handovers: readonly Handover[], dueAt: number): Promise<void>;
  /** Marks one that exists as changed; false where there is none. */
  touchKnown(tx: Transaction, projectId: string, conversationId: string, dueAt: number): Promise<boolean>;
  get(projectId: string, conversationId: string): Promise<KnownConversation | undefined>;
  /**
   * Saves what was assembled from the conversation as it was read; false where another save came first. A claim is
   * settled with it: it is not due any more, unless it was touched meanwhile; false where it has ended.
   */
  saveAssembled(
    tx: Transaction,
    seen: Pick<ConversationDocument, '_id' | 'version' | 'touches'>,
    fields: AssembledFields,
    claimed?: ClaimedRow,
  ): Promise<boolean>;
  /** Newest start first. */
  list(projectId: string, filter: ConversationFilter, slice: SliceRequest): Promise<Slice<KnownConversation>>;
  setFindingCount(projectId: string, conversationId: string, findingCount: number, sequence: number): Promise<void>;
}

export const CONVERSATIONS: KeysetList = {
  name: 'conversations',
  order: [
    ['startedAt', -1],
    ['_id', -1],
  ],
};

const WITHOUT_TERMS = { terms: 0 } as const;
const MAX_COUNTED_TERMS = 8;
/** More than this is frequent. */
const MAX_COUNT = 1_000;

export function createConversationStore(database: Database): ConversationStore {
  const model = conversationModel(database.connection);

  /** An index finds the conversations of one word, so it should be the one that finds the fewest. */
  async function rarestFirst(projectId: string, terms: readonly string[]): Promise<string[]> {
    if (terms.length < 2) return [...terms];
    const counted = terms.slice(0, MAX_COUNTED_TERMS).map(async (term) => {
      const count = await model.countDocuments({ projectId, listed: true, terms: term }).limit(MAX_COUNT);
      return { term, count };
    });
    const inOrder = (await Promise.all(counted)).sort((left, right) => left.count - right.count);
    return [...inOrder.map(({ term }) => term), ...terms.slice(MAX_COUNTED_TERMS)];
  }

  return {
    async touch(touches, handovers, dueAt) {
      const operations = [
        ...mergedTouches(touches).map((touch) => ({ updateOne: touchUpdate(touch, dueAt) })),
        ...mergedHandovers(handovers).map((_id) => ({ updateOne: handoverUpdate(_id, dueAt) })),
      ];
      if (operations.length > 0) await model.collection.bulkWrite(operations, { ordered: false });
    },
    async touchKnown(tx, projectId, conversationId, dueAt) {
      const { matchedCount } = await model
        .updateOne(
          { _id: conversationKey(projectId, conversationId), listed: true },
          { $max: { dueAt }, $inc: { touches: 1 } },
        )
        .session(tx);
      return matchedCount === 1;
    },
    async get(projectId, conversationId) {
      const _id = conversationKey(projectId, conversationId);
      return (await model.findById(_id, WITHOUT_TERMS).lean<KnownConversation>()) ?? undefined;
    },
    async saveAssembled(tx, { _id, version, touches }, fields, claimed) {
      const saved = { ...fields, version: version + 1 };
      const { filter, update } =
        claimed === undefined ? { filter: { _id }, update: { $set: saved } } : settledUpdate(saved, claimed, touches);
      const { matchedCount } = await model
        .updateOne({ ...filter, version }, update, { updatePipeline: claimed !== undefined })
        .session(tx);
      return matchedCount === 1;
    },
    async list(projectId, filter, slice) {
      const terms = filter.q === undefined ? [] : termsOf([filter.q]);
      // A search for what holds no word finds nothing.
      if (filter.q !== undefined && terms.length === 0) return { items: [], next: undefined };
      const conditions = conditionsOf(projectId, filter, await rarestFirst(projectId, terms));
      const read = { filter: conditions, projection: WITHOUT_TERMS, ...slice };
      return await readSlice(model, CONVERSATIONS.order, read, (found: KnownConversation) => found);
    },
    async setFindingCount(projectId, conversationId, findingCount, sequence) {
      await model.updateOne(
        { _id: conversationKey(projectId, conversationId), findingSequence: { $lte: sequence } },
        { $set: { findingCount, findingSequence: sequence, hasFinding: findingCount > 0 } },
      );
    },
  };
}

/** One touch for each conversation: how often it was touched does not matter, that it was does. */
function mergedTouches(touches: readonly Touch[]): Touch[] {
  const merged = new Map<string, Touch>();
  for (const touch of touches) {
    const key = conversationKey(touch.projectId, touch.conversationId);
    const known = merged.get(key);
    if (known === undefined) {
      merged.set(key, { ...touch });
      continue;
    }
    known.startedAt = Math.min(known.startedAt, touch.startedAt);
    known.lastActivityAt = Math.max(known.lastActivityAt, touch.lastActivityAt);
    known.listed ||= touch.listed;
  }
  return [...merged.values()];
}

function mergedHandovers(handovers: readonly Handover[]): string[] {
  return [...new Set(handovers.map(({ projectId, traceId }) => conversationKey(projectId, traceId)))];
}

function touchUpdate({ projectId, conversationId, implicit, listed, startedAt, lastActivityAt }: Touch, dueAt: number) {
  return {
    filter: { _id: conversationKey(projectId, conversationId) as never },
    update: {
      $min: { startedAt },
      $max: { lastActivityAt, dueAt, listed },
      $inc: { touches: 1 },
      $setOnInsert: newConversation({ projectId, conversationId, implicit }),
    },
    upsert: true,
  };
}

function handoverUpdate(_id: string, dueAt: number) {
  return {
    filter: { _id: _id as never, implicit: true },
    update: { $max: { dueAt }, $inc: { touches: 1 } },
  };
}

/** A claim that ends with the save. Whether it is still due is told by the touches: two may have the same due time. */
function settledUpdate(saved: AssembledFields & { version: number }, claimed: ClaimedRow, seenTouches: number) {
  const { filter, set } = settlement(claimed);
  const literals = Object.entries(saved).map(([name, value]) => [name, { $literal: value }]);
  const dueAt = { $cond: [{ $eq: ['$touches', seenTouches] }, null, '$dueAt'] };
  return {
    filter,
    update: [{ $set: { ...Object.fromEntries(literals), ...set, assembledTouches: seenTouches, dueAt } }],
  };
}

/** The conditions of a filter; the words of `q` come as `terms`, the one that the fewest conversations hold first. */
export function conditionsOf(
  projectId: string,
  filter: Omit<ConversationFilter, 'q'>,
  [rarest, ...others]: readonly string[],
): Record<string, unknown> {
  const { startedAfter, startedBefore, agent, model, userId, hasFinding } = filter;
  return {
    projectId,
    listed: true,
    ...(agent === undefined ? {} : { agents: agent }),
    ...(model === undefined ? {} : { models: model }),
    ...(userId === undefined ? {} : { userId }),
    ...(hasFinding === undefined ? {} : { hasFinding }),
    ...(rarest === undefined ? {} : { terms: rarest }),
    // No index is read by a negation: the database would choose the first word of the alphabet.
    ...(others.length === 0 ? {} : { $nor: others.map((term) => ({ terms: { $ne: term } })) }),
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
