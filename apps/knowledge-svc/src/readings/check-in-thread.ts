import type { ConversationSnapshot, ExtractedItem, ItemEvidence } from '@clew/contracts';
import type { RunInThread } from '@clew/runtime';
import { checkedQuotes, type CheckedQuotes, type QuoteCheck } from './check-quotes.ts';

/** Checks new items and resting evidence against a snapshot. Rejects with a ThreadDeadlineError after the deadline. */
export type CheckQuotes = (
  projectId: string,
  snapshot: ConversationSnapshot,
  items: readonly ExtractedItem[],
  resting: readonly ItemEvidence[],
) => Promise<CheckedQuotes>;

/** What is smaller, words and what is claimed of them together, is checked within milliseconds, sooner than a thread has started. */
const SMALL_CHARACTERS = 64 * 1024;
const SMALL_RESTING = 100;

/** Checks what is large in a thread: it takes longer than others should wait for the event loop. */
export function createCheckQuotes(run: RunInThread): CheckQuotes {
  return async (projectId, snapshot, items, resting) => {
    const check: QuoteCheck = { said: wordsOf(snapshot), items, resting };
    if (charactersOf(check) <= SMALL_CHARACTERS && resting.length <= SMALL_RESTING) return checkedQuotes(check);
    return await run(projectId, { name: 'check-thread', parentUrl: import.meta.url, workerData: check });
  };
}

function charactersOf({ said, items }: QuoteCheck): number {
  const words = said.messages.reduce((sum, { content }) => sum + content.length, 0);
  return items.reduce((sum, { content, evidence }) => {
    return evidence.reduce((longer, { quote }) => longer + quote.length, sum + content.length);
  }, words);
}

/** What a check reads of a snapshot, and nothing else of it, since all of it is copied for the thread. */
function wordsOf({ conversationId, truncated, messages }: ConversationSnapshot): QuoteCheck['said'] {
  return {
    ...{ conversationId, truncated },
    messages: messages.map(({ index, role, origin, content, traceId, spanId, atMs, textExpired }) => ({
      ...{ index, role, content, traceId, spanId, atMs },
      ...(origin === undefined ? {} : { origin }),
      ...(textExpired === undefined ? {} : { textExpired }),
    })),
  };
}
