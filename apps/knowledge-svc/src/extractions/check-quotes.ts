import type {
  ConversationMessage,
  ConversationSnapshot,
  ExtractedItem,
  ItemEvidence,
  KnowledgeEvidence,
  KnowledgeSources,
  RejectionReason,
} from '@clew/contracts';
import {
  isLocked,
  listenersIn,
  lockQuote,
  mayFollow,
  mentionedIn,
  isFoundedOn,
  peopleOf,
  promptHashOf,
  quotedWords,
  subjectOf,
  taintOf,
  validityOf,
  type ListenerOf,
  type Mentioned,
  type People,
  type QuotedWords,
  type TextRange,
} from '@clew/knowledge';

type Message = Pick<
  ConversationMessage,
  'index' | 'role' | 'name' | 'origin' | 'content' | 'traceId' | 'spanId' | 'atMs' | 'textExpired'
>;

/** Messages of a snapshot, against which quotes are checked. */
export interface SaidWords extends Pick<ConversationSnapshot, 'conversationId' | 'truncated'> {
  messages: readonly Message[];
}

/** Items and evidence to check against one snapshot. */
export interface QuoteCheck {
  said: SaidWords;
  /** Sources of the goal. */
  sources: KnowledgeSources;
  /** New items, as a worker extracted them. */
  items: readonly ExtractedItem[];
  /** Evidence of existing items, from an earlier snapshot of the conversation. */
  resting: readonly ItemEvidence[];
}

export interface CheckedItem {
  item: ExtractedItem;
  /** Evidence that passed the check. */
  evidence: ItemEvidence[];
  saidAt: number;
}

/** Results of a check, in the order of its items and evidence. */
export interface CheckedQuotes {
  items: (CheckedItem | RejectionReason)[];
  resting: ItemEvidence[];
}

/** Messages, with the taint of each computed once. */
interface Read extends SaidWords {
  people: People;
  mentioned: Mentioned;
  listenerOf: ListenerOf;
  isTainted: (message: Message, range: TextRange) => boolean;
}

/** Checks quotes against a snapshot. The time is linear in its text, which may be megabytes long. */
export function checkedQuotes({ said, sources, items, resting }: QuoteCheck): CheckedQuotes {
  let mentioned: ReadonlySet<string> | undefined;
  const taints = new Map<Message, (range: TextRange) => boolean>();
  const read: Read = {
    ...said,
    people: peopleOf(said.messages.filter(({ role }) => role !== 'tool')),
    mentioned: () => (mentioned ??= mentionedIn(read.messages, read.isTainted)),
    listenerOf: listenersIn(said.messages),
    isTainted: (message, range) => {
      const isTainted = taints.get(message) ?? taintOf(message, sources);
      taints.set(message, isTainted);
      return isTainted(range);
    },
  };
  return {
    items: items.map((item) => checkedItem(item, read)),
    resting: resting.map((evidence) => evidenceIn(read, evidence)),
  };
}

/**
 * Applies the quote lock, as the worker does: each quote must stand in the named message of the stored snapshot, at its
 * place, and the item must follow from the quotes that are not tainted: its numbers and names are theirs, and a model
 * that can judge or its words say that it does. Returns the reason if the item is rejected.
 */
function checkedItem(item: ExtractedItem, said: Read): CheckedItem | RejectionReason {
  const { conversationId } = said;
  const evidence: ItemEvidence[] = [];
  const quotes: QuotedWords[] = [];
  let saidAt = 0;
  for (const one of item.evidence) {
    const message = messageOf(said, one.messageIndex);
    if (message === undefined) return 'unknown_message';
    if (!isLocked(one, message)) return 'quote_not_found';
    if (said.isTainted(message, { start: one.startChar, end: one.endChar })) continue;
    const prompt = message.role === 'system' ? { promptHash: promptHashOf(message.content) } : {};
    evidence.push({ ...one, ...prompt, conversationId, isCurrent: true });
    quotes.push(quotedWords(one.quote, message, said.listenerOf));
    saidAt = Math.max(saidAt, message.atMs);
  }
  if (evidence.length === 0) return 'tainted';
  const isProven =
    item.judged === true
      ? isFoundedOn(item.content, quotes, said.people, said.mentioned)
      : mayFollow(item.content, quotes, said.people);
  if (isProven) {
    const { validFrom: _, validUntil: __, ...rest } = item;
    return {
      item: { ...rest, ...validityOf(item, quotes), subject: subjectOf(item.subject, quotes) },
      evidence,
      saidAt,
    };
  }
  return evidence.length < item.evidence.length ? 'tainted' : 'not_supported';
}

/**
 * Moves evidence to its place in the newer snapshot of its conversation, or marks it as no longer current. Evidence
 * stays as it is if words have expired or the snapshot is truncated, because a missing quote then proves nothing.
 */
function evidenceIn(snapshot: Read, evidence: ItemEvidence): ItemEvidence {
  const said = messageOf(snapshot, evidence.messageIndex);
  if (said !== undefined && stands(evidence, said)) return placed(evidence, said, evidence.startChar);
  for (const message of snapshot.messages) {
    const place = lockQuote(message.content, evidence.quote);
    if (place !== undefined && !snapshot.isTainted(message, place)) return placed(evidence, message, place.start);
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

function messageOf({ messages }: SaidWords, index: number): Message | undefined {
  return messages[index]?.index === index ? messages[index] : messages.find((message) => message.index === index);
}
