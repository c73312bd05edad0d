/**
 * Names for the person an agent talks to. A manager, a nurse or a lawyer is a third person, who does not speak in the
 * conversation.
 */
export const PERSON =
  '(?:user|customer|client|caller|guest|patient|employee|travell?er|member|subscriber|tenant|student|learner|passenger|shopper|visitor|buyer|policy ?holder|card ?holder|account holder|requester|end user|person)s?';
/** Like `PERSON`, also with a pronoun. */
export const THEM = `(?:the |your |an? )?${PERSON}|them|they|him|her|he|she`;
/** Possessives: `the customer's`, `their`. */
export const THEIR = `(?:(?:the |your |an? )?${PERSON}'s?|their|his|her|your)`;

const PERSON_WORD = new RegExp(`^${PERSON}(?:'s?)?$`);

export function isPerson(word: string): boolean {
  return PERSON_WORD.test(word);
}
