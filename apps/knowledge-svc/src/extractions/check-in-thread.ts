import type { ConversationSnapshot, ExtractedItem, ItemEvidence, KnowledgeSources } from '@clew/contracts';
import { createThreadPool } from '@clew/runtime';
import { checkedQuotes, type CheckedQuotes, type QuoteCheck } from './check-quotes.ts';

/** Checks new items and existing evidence against a snapshot. Rejects with a ThreadDeadlineError after the deadline. */
export type CheckQuotes = (
  goal: { projectId: string; sources: KnowledgeSources },
  snapshot: ConversationSnapshot,
  items: readonly ExtractedItem[],
  resting: readonly ItemEvidence[],
) => Promise<CheckedQuotes>;

/**
 * Up to this size, counting the words and the claims about them, a check takes milliseconds, less than starting a
 * thread.
 */
const SMALL_CHARACTERS = 64 * 1024;
const SMALL_RESTING = 100;

/** Checks large snapshots in a thread, because they would block the event loop for too long. */
export function createCheckQuotes({ deadlineMs }: { deadlineMs: number }): CheckQuotes {
  const module = { name: 'check-thread', parentUrl: import.meta.url };
  const threads = createThreadPool({ module, deadlineMs });
  return async ({ projectId, sources }, snapshot, items, resting) => {
    const check: QuoteCheck = { said: wordsOf(snapshot), sources, items, resting };
    if (charactersOf(check) <= SMALL_CHARACTERS && resting.length <= SMALL_RESTING) return checkedQuotes(check);
    return await threads.ask<CheckedQuotes>(projectId, check);
  };
}

function charactersOf({ said, items }: QuoteCheck): number {
  const words = said.messages.reduce((sum, { content }) => sum + content.length, 0);
  return items.reduce((sum, { content, evidence }) => {
    return evidence.reduce((longer, { quote }) => longer + quote.length, sum + content.length);
  }, words);
}

/** Copies only the fields that a check reads, because the thread gets a copy of all of them. */
function wordsOf({ conversationId, truncated, messages }: ConversationSnapshot): QuoteCheck['said'] {
  return {
    ...{ conversationId, truncated },
    messages: messages.map(({ index, role, name, origin, content, traceId, spanId, atMs, textExpired }) => ({
      ...{ index, role, content, traceId, spanId, atMs },
      ...(name === undefined ? {} : { name }),
      ...(origin === undefined ? {} : { origin }),
      ...(textExpired === undefined ? {} : { textExpired }),
    })),
  };
}
