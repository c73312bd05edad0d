import type { ConversationMessage } from '@clew/contracts';

/** Texts of a message as a model sees them: its content, then its tool calls. */
export function textsOf({ content, toolCalls = [] }: ConversationMessage): string[] {
  return [content, ...toolCalls.map((call) => `${call.name}(${argumentsText(call.arguments)})`)];
}

function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
}

/**
 * Minimum length of a quote in characters. A shorter one occurs in almost any message; it counts only as a whole
 * message.
 */
const MIN_QUOTE_LENGTH = 8;

/** Frame in which a model sees a call. */
const CALL_FRAME = { start: '(calls ', end: ')' } as const;

/** Call as a model sees it, below the text of its message. */
export function framedCall(call: string): string {
  return `${CALL_FRAME.start}${call}${CALL_FRAME.end}`;
}

/** Words that a message contains exactly, with the text of it that they are in. */
export interface FoundQuote {
  text: string;
  quote: string;
}

/**
 * Finds a quote in a message. A quote of a call may come with the frame in which the model saw it, which is no part of
 * the message. Undefined if no text contains the words, or if they are too few.
 */
export function foundQuote(message: ConversationMessage | undefined, quote: string): FoundQuote | undefined {
  if (message === undefined) return undefined;
  const texts = textsOf(message);
  for (const words of [quote, ...unframed(quote)]) {
    const text = texts.find((each) => isQuoteOf(each, words));
    if (text !== undefined) return { text, quote: words };
  }
  return undefined;
}

function unframed(quote: string): string[] {
  if (!quote.startsWith(CALL_FRAME.start)) return [];
  const words = quote.slice(CALL_FRAME.start.length);
  return [words, words.slice(0, -CALL_FRAME.end.length)];
}

function isQuoteOf(text: string, quote: string): boolean {
  if (quote.trim() === '' || !text.includes(quote)) return false;
  return quote.length >= MIN_QUOTE_LENGTH || text.trim() === quote.trim();
}
