import type { SnapshotMessage } from '@clew/contracts';
import { foundQuote } from '@clew/review';
import { isAddressed } from './addressed.ts';
import type { ResponseAnswer } from './answers.ts';

/**
 * Tells whether a response rests on quotes: there is one, and each is an exact part of the message that it names, which
 * is among those that were known and does not speak to its readers.
 */
export function restsOnQuotes(quotes: ResponseAnswer['quotes'], known: readonly SnapshotMessage[]): boolean {
  const messages = new Map(known.map((message) => [message.index, message]));
  return (
    quotes.length > 0 &&
    quotes.every(({ messageIndex, quote }) => {
      const message = messages.get(messageIndex);
      return message !== undefined && foundQuote(message, quote) !== undefined && !isAddressed(message);
    })
  );
}
