import { createDueRows, type Claimed, type Database, type DueRows } from '@clew/persistence';
import { conversationCollection } from './conversation.model.ts';
import type { KnownConversation } from './conversations.store.ts';

/** The conversations that have been quiet long enough, as work that one process at a time takes. */
export type DueConversations = DueRows<KnownConversation>;
export type ClaimedConversation = Claimed<KnownConversation>;

/** Far longer than assembling takes. */
const LEASE_MS = 60_000;

export function createDueConversations({ connection }: Database): DueConversations {
  return createDueRows(conversationCollection(connection), {
    ...{ leaseMs: LEASE_MS, projection: { terms: 0 }, isInTurn: true },
  });
}
