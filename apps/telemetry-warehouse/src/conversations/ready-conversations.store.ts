import type { ReadySnapshot } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetList } from '@clew/persistence';
import { createConversationLists } from './conversation-lists.store.ts';
import { conversationCollection, conversationKey, type ConversationDocument } from './conversation.model.ts';

/** Window of the last activity in the ready snapshot, in Unix epoch milliseconds; both ends are inclusive. */
export interface ReadyWindow {
  from: number;
  to: number;
}

export type ReadyOrder = 'oldest' | 'latest';

export interface ReadyConversationStore {
  list(
    projectId: string,
    window: ReadyWindow & { order: ReadyOrder },
    slice: SliceRequest,
  ): Promise<Slice<ReadySnapshot>>;
  /** Returns the ready snapshots of those conversations that have one and are in the list. */
  named(projectId: string, conversationIds: readonly string[]): Promise<ReadySnapshot[]>;
  /** Returns the id of the first conversation in the list. */
  latest(projectId: string): Promise<string | undefined>;
}

/** Fields of a document that the list shows. */
type ReadyDocument = Pick<ConversationDocument, '_id' | 'conversationId' | 'ready' | 'readyThroughMs'>;

export const READY_CONVERSATIONS: Readonly<Record<ReadyOrder, KeysetList>> = {
  oldest: {
    name: 'ready-conversations',
    order: [
      ['readyThroughMs', 1],
      ['_id', 1],
    ],
  },
  latest: {
    name: 'latest-ready-conversations',
    order: [
      ['readyThroughMs', -1],
      ['_id', -1],
    ],
  },
};

const PROJECTION = { conversationId: 1, ready: 1, readyThroughMs: 1 } as const;

export function createReadyConversationStore(database: Database): ReadyConversationStore {
  const conversations = conversationCollection(database.connection);
  const lists = createConversationLists(database);
  return {
    async list(projectId, { from, to, order }, slice) {
      const filter = { projectId, readyThroughMs: { $gte: from, $lte: to } };
      const read = { filter, projection: PROJECTION, ...slice };
      const { items, next } = await readSlice(conversations, READY_CONVERSATIONS[order].order, read, readySnapshotOf);
      return { items: items.filter((item) => item !== undefined), next };
    },
    async named(projectId, conversationIds) {
      const _id = { $in: conversationIds.map((id) => conversationKey(projectId, id)) };
      const filter = { _id, projectId, listed: true };
      const found = await conversations.find(filter, { projection: PROJECTION }).toArray();
      return found.map(readySnapshotOf).filter((snapshot) => snapshot !== undefined);
    },
    async latest(projectId) {
      const { items } = await lists.list(projectId, {}, { limit: 1, after: undefined });
      return items[0]?.conversationId;
    },
  };
}

/** Snapshot with which a conversation was last ready. */
export function readySnapshotOf({ conversationId, ready, readyThroughMs }: ReadyDocument): ReadySnapshot | undefined {
  if (ready === null || readyThroughMs === null) return undefined;
  return { conversationId, ...ready, lastActivityAt: readyThroughMs };
}
