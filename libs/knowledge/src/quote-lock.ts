import type { ConversationMessage, KnowledgeEvidence } from '@clew/contracts';
import { placeOf } from '@clew/kernel';

/** Range of a text in UTF-16 code units; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Minimum length: a shorter quote occurs in every message, unless it is a whole message. */
const MIN_QUOTE_LENGTH = 8;
const MAX_QUOTE_LENGTH = 2_000;

/**
 * Locates a quote in the text: its first occurrence within the range, compared exactly, without normalization. The same
 * quote of the same text thus has one place, even if it occurs twice. `undefined` if it does not occur, or is too short
 * to prove anything.
 */
export function lockQuote(text: string, quote: string, range: TextRange = { start: 0, end: text.length }) {
  // Half a surrogate pair is no quote.
  if (quote.length > MAX_QUOTE_LENGTH || quote.trim() === '' || !quote.isWellFormed()) return undefined;
  if (quote.length < MIN_QUOTE_LENGTH && text.trim() !== quote.trim()) return undefined;
  const start = placeOf(text, quote, range.start);
  const end = start + quote.length;
  return start === -1 || end > range.end ? undefined : { start, end };
}

/** Tells whether evidence is an exact quote of the message that it names. */
export function isLocked(
  { quote, startChar, endChar, traceId, spanId, messageIndex }: KnowledgeEvidence,
  message: Pick<ConversationMessage, 'index' | 'content' | 'traceId' | 'spanId'>,
): boolean {
  if (message.index !== messageIndex || message.traceId !== traceId || message.spanId !== spanId) return false;
  const place = lockQuote(message.content, quote, { start: startChar, end: message.content.length });
  return place?.start === startChar && place.end === endChar;
}
