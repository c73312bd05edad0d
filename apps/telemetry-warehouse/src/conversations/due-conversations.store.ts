import { createScheduledTasks, type Claimed, type Database, type ScheduledTasks } from '@clew/persistence';
import { conversationCollection } from './conversation.model.ts';
import type { KnownConversation } from './conversation-lists.store.ts';

/** Conversations that have been quiet for long enough, as scheduled tasks that one process at a time claims. */
export type DueConversations = ScheduledTasks<KnownConversation>;
export type ClaimedConversation = Claimed<KnownConversation>;

/** Lease far longer than an assembly takes. */
const LEASE_MS = 60_000;

export function createDueConversations({ connection }: Database): DueConversations {
  return createScheduledTasks(conversationCollection(connection), {
    ...{ leaseMs: LEASE_MS, projection: { terms: 0 }, isInTurn: true },
  });
}
