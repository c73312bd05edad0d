import type { Database } from '@clew/persistence';
import { conversationKey, type ConversationStore, type FindingCount } from '../conversations/index.ts';
import type { HourStore } from './hours.store.ts';

/** Creates a function that stores the numbers of Findings of conversations, and counts them in their hours. */
export function createSetFindingCounts(
  database: Database,
  { conversations, hours }: { conversations: Pick<ConversationStore, 'setFindingCounts'>; hours: HourStore },
) {
  return async (counts: readonly FindingCount[]): Promise<void> => {
    if (counts.length === 0) return;
    const keys = counts.map(({ projectId, conversationId }) => conversationKey(projectId, conversationId));
    await database.withTransaction(async (tx) => {
      await conversations.setFindingCounts(tx, counts);
      await hours.recount(tx, [...new Set(keys)]);
    });
  };
}
