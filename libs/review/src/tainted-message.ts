import type { ConversationMessage } from '@clew/contracts';
import { foldedText, taintedRanges } from '@clew/knowledge';
import { textsOf } from './message-texts.ts';

/**
 * Words of a judge's answer. In a conversation they show that somebody knows it is judged, or describes what judges do.
 * Matched against folded text.
 */
const SPEAKS_OF_VERDICTS = /\b(?:verdicts?|refute[ds]?)\b/;

/**
 * Checks all texts that a judge sees of a message. A system prompt comes from the application itself, so only its words
 * can taint it.
 */
export function isTaintedForJudge(message: ConversationMessage): boolean {
  const { origin, error } = message;
  const texts = [...textsOf(message), ...(error === undefined ? [] : [error.message])];
  return texts.some(
    (content) =>
      SPEAKS_OF_VERDICTS.test(foldedText(content)) ||
      taintedRanges({ role: 'user', content, ...(origin === undefined ? {} : { origin }) }).length > 0,
  );
}
