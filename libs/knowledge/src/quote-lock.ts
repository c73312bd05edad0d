import type { ConversationMessage, KnowledgeEvidence } from '@clew/contracts';
import { placeOf } from '@clew/kernel';

/** A part of a text, in UTF-16 code units; its end is not in it. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A shorter quote is in every message, unless it is the whole of one. */
const MIN_QUOTE_LENGTH = 8;
const MAX_QUOTE_LENGTH = 2_000;

/**
 * Where in the text a quote is: its first occurrence within the range, character by character, nothing normalised. So
 * the same quote of the same text has one place, also where it occurs twice. `undefined`: it is not there, or too short
 * to show anything.
 */
export function lockQuote(text: string, quote: string, range: TextRange = { start: 0, end: text.length }) {
  // Half of a character is no quote.
  if (quote.length > MAX_QUOTE_LENGTH || quote.trim() === '' || !quote.isWellFormed()) return undefined;
  if (quote.length < MIN_QUOTE_LENGTH && text.trim() !== quote.trim()) return undefined;
  const start = placeOf(text, quote, range.start);
  const end = start + quote.length;
  return start === -1 || end > range.end ? undefined : { start, end };
}

/** Whether evidence is what it says, of the very message that it names. */
export function isLocked(
  { quote, startChar, endChar, traceId, spanId, messageIndex }: KnowledgeEvidence,
  message: Pick<ConversationMessage, 'index' | 'content' | 'traceId' | 'spanId'>,
): boolean {
  if (message.index !== messageIndex || message.traceId !== traceId || message.spanId !== spanId) return false;
  const place = lockQuote(message.content, quote, { start: startChar, end: message.content.length });
  return place?.start === startChar && place.end === endChar;
}
