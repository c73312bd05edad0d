import type { ConversationSnapshot } from '@clew/contracts';
import type { Occurrence, RuleDefinition } from './rule.ts';

/** Reason code of a text-reading Rule for a conversation without any text left. */
export const TEXT_EXPIRED = 'TEXT_EXPIRED';

type Messages = Pick<ConversationSnapshot, 'messages'>;

/** Index of the last message whose text retention has removed; undefined if all have their text. */
export function expiredThrough({ messages }: Messages): number | undefined {
  return messages.findLast(({ textExpired }) => textExpired === true)?.index;
}

/** Tells whether retention has removed all text of a conversation. */
export function isWordless({ messages }: Messages): boolean {
  return messages.length > 0 && messages.every(({ textExpired }) => textExpired === true);
}

/**
 * Tells whether all messages of a case still have their text: an expired message that seems silent is no observation.
 */
export function standsOnWords({ readsWords }: Pick<RuleDefinition, 'readsWords'>, { evidence }: Occurrence): boolean {
  return readsWords === false || evidence.every(({ message }) => message.textExpired !== true);
}
