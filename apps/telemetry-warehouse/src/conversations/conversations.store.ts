import type { ConversationFindings } from '@clew/contracts';
import { settlement, type ClaimedTask, type Database, type Transaction } from '@clew/persistence';
import { otherCallUpdates, ownCallUpdate, touched, type CallChanges } from './call-updates.ts';
import {
  conversationCollection,
  conversationKey,
  conversationModel,
  newConversation,
  type ConversationDocument,
} from './conversation.model.ts';
import {
  createConversationLists,
  WITHOUT_INDEXED,
  type ConversationLists,
  type KnownConversation,
} from './conversation-lists.store.ts';

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
  | 'facets'
  | 'scored'
  | 'hasError'
  | 'latency'
  | 'snapshotId'
  | 'contentHash'
  | 'messagesHash'
  | 'evidenceHash'
  | 'readyHash'
  | 'ready'
  | 'readyThroughMs'
  | 'revision'
>;

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

export interface ConversationStore extends ConversationLists {
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
  /**
   * Stores counts of Findings. The count with the greater sequence wins, regardless of the order in which they arrive.
   */
  setFindingCounts(tx: Transaction, counts: readonly FindingCount[]): Promise<void>;
}

export function createConversationStore(database: Database): ConversationStore {
  const model = conversationModel(database.connection);
  const conversations = conversationCollection(database.connection);

  return {
    ...createConversationLists(database),
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
          { $max: { dueAt, receivedAt }, ...touched },
        )
        .session(tx);
      return matchedCount === 1;
    },
    async get(projectId, conversationId) {
      const _id = conversationKey(projectId, conversationId);
      return (await model.findById(_id, WITHOUT_INDEXED).lean<KnownConversation>()) ?? undefined;
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
    async setFindingCounts(tx, counts) {
      if (counts.length === 0) return;
      const updates = counts.map(({ projectId, conversationId, findingCount, sequence }) => ({
        updateOne: {
          filter: { _id: conversationKey(projectId, conversationId), findingSequence: { $lte: sequence } },
          update: { $set: { findingCount, findingSequence: sequence, hasFinding: findingCount > 0 } },
        },
      }));
      await conversations.bulkWrite(updates, { session: tx, ordered: false });
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
      ...touched,
      $setOnInsert: newConversation({ projectId, conversationId, implicit }),
    },
    upsert: true,
  };
}

function handoverUpdate(_id: string, dueAt: number) {
  return {
    filter: { _id: _id as never, implicit: true },
    update: { $max: { dueAt }, ...touched },
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
      update: {
        $set: { ...saved, ...set, assembledTouches: touches, ...(isDueAgain ? {} : { isReady: true }) },
        ...callsLost,
      },
    },
  };
}
