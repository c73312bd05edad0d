import type {
  ConversationSnapshot,
  ExtractedItem,
  ItemEvidence,
  KnowledgeEvidence,
  RejectionReason,
} from '@clew/contracts';
import { isLocked, isTainted, lockQuote, mayFollow } from '@clew/knowledge';

type Message = ConversationSnapshot['messages'][number];

export interface CheckedItem {
  item: ExtractedItem;
  /** What holds of its evidence. */
  evidence: ItemEvidence[];
  saidAt: number;
}

/**
 * The quote lock, as the worker has it: each quote must stand in the named message of the stored snapshot, at its place,
 * and what the item says must follow from those that are not tainted. Where it does not, it is none, for a reason.
 */
export function checkedItem(item: ExtractedItem, snapshot: ConversationSnapshot): CheckedItem | RejectionReason {
  const { conversationId } = snapshot;
  const evidence: ItemEvidence[] = [];
  let saidAt = 0;
  for (const one of item.evidence) {
    const message = messageOf(snapshot, one.messageIndex);
    if (message === undefined) return 'unknown_message';
    if (!isLocked(one, message)) return 'quote_not_found';
    if (isTainted(message, { start: one.startChar, end: one.endChar })) continue;
    evidence.push({ ...one, conversationId, isCurrent: true });
    saidAt = Math.max(saidAt, message.atMs);
  }
  if (evidence.length === 0) return 'tainted';
  const quotes = evidence.map(({ quote }) => quote);
  return mayFollow(item.content, quotes) ? { item, evidence, saidAt } : 'not_supported';
}

/**
 * Evidence of a conversation as its newer snapshot has it: at its new place, or no longer current. It stays as it is
 * where the words have expired, which says nothing of them.
 */
export function evidenceIn(snapshot: ConversationSnapshot, evidence: ItemEvidence): ItemEvidence {
  const said = messageOf(snapshot, evidence.messageIndex);
  if (said !== undefined && stands(evidence, said)) return placed(evidence, said, evidence.startChar);
  for (const message of snapshot.messages) {
    const place = lockQuote(message.content, evidence.quote);
    if (place !== undefined && !isTainted(message, place)) return placed(evidence, message, place.start);
  }
  const isUnknown = snapshot.truncated || snapshot.messages.some(({ textExpired }) => textExpired === true);
  return isUnknown ? evidence : { ...evidence, isCurrent: false };
}

function placed(evidence: ItemEvidence, { index: messageIndex, traceId, spanId }: Message, startChar: number) {
  const endChar = startChar + evidence.quote.length;
  return { ...evidence, traceId, spanId, messageIndex, startChar, endChar, isCurrent: true };
}

function stands({ quote, startChar, endChar }: KnowledgeEvidence, { content }: Message): boolean {
  return endChar - startChar === quote.length && content.startsWith(quote, startChar);
}

function messageOf({ messages }: ConversationSnapshot, index: number): Message | undefined {
  return messages[index]?.index === index ? messages[index] : messages.find((message) => message.index === index);
}
