import type { ConversationFindings, ConversationQuery } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import {
  readSlice,
  settlement,
  type ClaimedTask,
  type Database,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import { otherCallUpdates, ownCallUpdate, type CallChanges } from './call-updates.ts';
import {
  conversationCollection,
  conversationKey,
  conversationModel,
  newConversation,
  type ConversationDocument,
} from './conversation.model.ts';
import { termsOf } from './terms.ts';

export type ConversationFilter = Omit<ConversationQuery, 'limit' | 'cursor'>;

/** Notice that records of a conversation have arrived. */
export interface Touch {
  projectId: string;
  conversationId: string;
  implicit: boolean;
  listed: boolean;
  startedAt: number;
  lastActivityAt: number;
}

export interface TouchTimes {
  receivedAt: number;
  dueAt: number;
}

/**
 * Trace whose spans now name a conversation: if the trace was a conversation of its own, that one must be assembled
 * again.
 */
export interface Handover {
  projectId: string;
  traceId: string;
}

/** Fields that an assembly sets. */
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
  | 'contentCapture'
  | 'traceIds'
  | 'terms'
  | 'snapshotId'
  | 'contentHash'
  | 'messagesHash'
  | 'evidenceHash'
  | 'readyHash'
  | 'ready'
  | 'readyThroughMs'
  | 'revision'
>;

/** Conversation as read from the store, without its words. */
export type KnownConversation = Omit<ConversationDocument, 'terms'>;

/** Data to save for one conversation. */
export interface AssembledSave {
  seen: Pick<ConversationDocument, '_id' | 'version' | 'touches'>;
  fields: AssembledFields;
  calls: CallChanges;
  claimed?: ClaimedTask | undefined;
}

/** Number of Findings that a conversation shows. */
export interface FindingCount extends ConversationFindings {
  projectId: string;
}

export interface ConversationStore {
  touch(touches: readonly Touch[], handovers: readonly Handover[], times: TouchTimes): Promise<void>;
  /** Marks an existing conversation as changed; false if there is none. */
  touchKnown(tx: Transaction, projectId: string, conversationId: string, times: TouchTimes): Promise<boolean>;
  get(projectId: string, conversationId: string): Promise<KnownConversation | undefined>;
  /** Returns the number of touches of each conversation, by key; missing conversations are left out. */
  touchesOf(keys: readonly string[]): Promise<Map<string, number>>;
  /**
   * Saves assemblies of conversations, and settles their claims: a conversation that was touched meanwhile stays due.
   * Returns false if another save of one of them came first, or if a claim has ended.
   */
  saveAssembled(tx: Transaction, saves: readonly AssembledSave[]): Promise<boolean>;
  /** Tells other conversations about the calls that they share with the saved ones; they become due at once. */
  passCalls(tx: Transaction, changes: readonly CallChanges[], dueAt: number): Promise<void>;
  /** Lists conversations, newest start first. */
  list(projectId: string, filter: ConversationFilter, slice: SliceRequest): Promise<Slice<KnownConversation>>;
  /**
   * Stores counts of Findings. The count with the greater sequence wins, regardless of the order in which they arrive.
   */
  setFindingCounts(counts: readonly FindingCount[]): Promise<void>;
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
/** Count beyond which a word is simply frequent. */
const MAX_COUNT = 1_000;

export function createConversationStore(database: Database): ConversationStore {
  const model = conversationModel(database.connection);
  const conversations = conversationCollection(database.connection);

  /** Orders words by how few conversations have them. An index search uses one word, which should be the rarest. */
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
    async touch(touches, handovers, times) {
      const operations = [
        ...mergedTouches(touches).map((touch) => ({ updateOne: touchUpdate(touch, times) })),
        ...mergedHandovers(handovers).map((_id) => ({ updateOne: handoverUpdate(_id, times.dueAt) })),
      ];
      if (operations.length > 0) await model.collection.bulkWrite(operations, { ordered: false });
    },
    async touchKnown(tx, projectId, conversationId, { receivedAt, dueAt }) {
      const { matchedCount } = await model
        .updateOne(
          { _id: conversationKey(projectId, conversationId), listed: true },
          { $max: { dueAt, receivedAt }, $inc: { touches: 1 } },
        )
        .session(tx);
      return matchedCount === 1;
    },
    async get(projectId, conversationId) {
      const _id = conversationKey(projectId, conversationId);
      return (await model.findById(_id, WITHOUT_TERMS).lean<KnownConversation>()) ?? undefined;
    },
    async touchesOf(keys) {
      const found = await conversations
        .find<Pick<ConversationDocument, '_id' | 'touches'>>(
          { _id: { $in: [...keys] } },
          { projection: { touches: 1 } },
        )
        .toArray();
      return new Map(found.map(({ _id, touches }) => [_id, touches]));
    },
    async saveAssembled(tx, saves) {
      const saveWith = async (written: ReturnType<typeof saveUpdate>[]) =>
        (await conversations.bulkWrite(written, { session: tx, ordered: false })).matchedCount;
      const matched = await saveWith(saves.map((save) => saveUpdate(save, { isDueAgain: false })));
      if (matched === saves.length) return true;
      // Some were touched during their assembly, and are saved as due again; those already saved do not match again.
      const claimed = saves.filter((save) => save.claimed !== undefined);
      if (claimed.length === 0) return false;
      return matched + (await saveWith(claimed.map((save) => saveUpdate(save, { isDueAgain: true })))) === saves.length;
    },
    async passCalls(tx, changes, dueAt) {
      const updates = changes.flatMap((change) => otherCallUpdates(change, dueAt));
      if (updates.length > 0) await conversations.bulkWrite(updates, { session: tx, ordered: false });
    },
    async list(projectId, filter, slice) {
      const terms = filter.q === undefined ? [] : termsOf([filter.q]);
      // A search text without any word finds nothing.
      if (filter.q !== undefined && terms.length === 0) return { items: [], next: undefined };
      const conditions = conditionsOf(projectId, filter, await rarestFirst(projectId, terms));
      const read = { filter: conditions, projection: WITHOUT_TERMS, ...slice };
      return await readSlice(model, CONVERSATIONS.order, read, (found: KnownConversation) => found);
    },
    async setFindingCounts(counts) {
      if (counts.length === 0) return;
      const updates = counts.map(({ projectId, conversationId, findingCount, sequence }) => ({
        updateOne: {
          filter: { _id: conversationKey(projectId, conversationId), findingSequence: { $lte: sequence } },
          update: { $set: { findingCount, findingSequence: sequence, hasFinding: findingCount > 0 } },
        },
      }));
      await model.bulkWrite(updates, { ordered: false });
    },
  };
}

/** Merges touches to one for each conversation: only the fact that it was touched matters, not how often. */
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

function touchUpdate(touch: Touch, { receivedAt, dueAt }: TouchTimes) {
  const { projectId, conversationId, implicit, listed, startedAt, lastActivityAt } = touch;
  return {
    filter: { _id: conversationKey(projectId, conversationId) as never },
    update: {
      $min: { startedAt },
      $max: { lastActivityAt, receivedAt, dueAt, listed },
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

/** Update that saves an assembly and ends its claim. The touches decide whether the conversation is due again. */
function saveUpdate({ seen, fields, calls, claimed }: AssembledSave, { isDueAgain }: { isDueAgain: boolean }) {
  const { _id, version, touches } = seen;
  const { $set: callsTaken, ...callsLost } = ownCallUpdate(calls);
  const saved = { ...fields, ...callsTaken, version: version + 1 };
  if (claimed === undefined) return { updateOne: { filter: { _id, version }, update: { $set: saved, ...callsLost } } };
  const { filter, set } = settlement(claimed, { isDueAgain });
  return {
    updateOne: {
      filter: { ...filter, version, ...(isDueAgain ? {} : { touches }) },
      update: { $set: { ...saved, ...set, assembledTouches: touches }, ...callsLost },
    },
  };
}

/** Conditions of a filter. The words of `q` are given as `terms`, the rarest first. */
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
    // Double negation keeps these words from the choice of index: the database would otherwise take the first word of
    // the alphabet.
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
