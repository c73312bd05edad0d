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

/** Text of a message that contains the quote exactly; undefined if none does, or if the quote is too short. */
export function textWithQuote(message: ConversationMessage | undefined, quote: string): string | undefined {
  if (message === undefined || quote.trim() === '') return undefined;
  return textsOf(message).find(
    (text) => text.includes(quote) && (quote.length >= MIN_QUOTE_LENGTH || text.trim() === quote.trim()),
  );
}
