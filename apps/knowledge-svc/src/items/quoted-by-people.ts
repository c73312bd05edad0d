import { getReadySnapshot, readSnapshots, type ConversationSnapshot, type NewKnowledgeItem } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError } from '@clew/kernel';
import { lockQuote, promptHashOf } from '@clew/knowledge';
import type { FoundQuotes } from './write-item.ts';

/** Finds the quotes of an item that a person writes in the latest ready snapshots of the conversations. */
export function createFindQuotes(warehouse: ServiceClient) {
  async function snapshotsOf(projectId: string, conversationIds: readonly string[]) {
    const snapshotIds: string[] = [];
    for (const conversationId of conversationIds) {
      const ready = await warehouse.call(getReadySnapshot, { params: { projectId, conversationId } });
      snapshotIds.push(ready.snapshotId);
    }
    const found = new Map<string, ConversationSnapshot>();
    const call = { params: { projectId }, body: { snapshotIds } };
    for await (const snapshot of warehouse.lines(readSnapshots, call)) found.set(snapshot.conversationId, snapshot);
    return found;
  }

  return async (projectId: string, quotes: NewKnowledgeItem['evidence']): Promise<FoundQuotes> => {
    if (quotes.length === 0) return { evidence: [], saidAt: undefined };
    const conversationIds = [...new Set(quotes.map(({ conversationId }) => conversationId))];
    const snapshots = await snapshotsOf(projectId, conversationIds);
    const found = quotes.map((quote, at) => quoteIn(snapshots.get(quote.conversationId), quote, at));
    return { evidence: found.map(({ evidence }) => evidence), saidAt: Math.max(...found.map(({ atMs }) => atMs)) };
  };
}

function quoteIn(
  snapshot: ConversationSnapshot | undefined,
  { conversationId, messageIndex, quote }: NewKnowledgeItem['evidence'][number],
  at: number,
) {
  const message = snapshot?.messages.find(({ index }) => index === messageIndex);
  const place = message && lockQuote(message.content, quote);
  if (message === undefined || place === undefined) {
    const path = `body.evidence.${at}.quote`;
    const reason = `message ${messageIndex} of ${conversationId} does not say so`;
    throw new AppError('VALIDATION_FAILED', `${path}: ${reason}`, { details: [{ path, message: reason }] });
  }
  const { traceId, spanId, role, content, atMs } = message;
  const prompt = role === 'system' ? { promptHash: promptHashOf(content) } : {};
  const located = { traceId, spanId, messageIndex, quote, startChar: place.start, endChar: place.end };
  return { atMs, evidence: { ...located, ...prompt, conversationId, isCurrent: true } };
}
