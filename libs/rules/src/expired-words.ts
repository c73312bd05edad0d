import type { ConversationSnapshot } from '@clew/contracts';
import type { Occurrence, RuleDefinition } from './rule.ts';

/** What a Rule that reads words says of a conversation that has none left. */
export const TEXT_EXPIRED = 'TEXT_EXPIRED';

type Messages = Pick<ConversationSnapshot, 'messages'>;

/** The index of the last message whose words retention has taken; undefined where all have theirs. */
export function expiredThrough({ messages }: Messages): number | undefined {
  return messages.findLast(({ textExpired }) => textExpired === true)?.index;
}

/** Whether retention has taken every word of a conversation. */
export function isWordless({ messages }: Messages): boolean {
  return messages.length > 0 && messages.every(({ textExpired }) => textExpired === true);
}

/** Whether a case was made of words that are all there: the silence of a message that lost its own is no observation. */
export function standsOnWords({ readsWords }: Pick<RuleDefinition, 'readsWords'>, { evidence }: Occurrence): boolean {
  return readsWords === false || evidence.every(({ message }) => message.textExpired !== true);
}
