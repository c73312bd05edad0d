import type { ConversationMessage } from '@clew/contracts';
import { foldedText, taintedRanges } from '@clew/knowledge';
import { NEVER_WITHDRAWN, type RuleDefinition } from '@clew/rules';
import { textsOf } from './verdicts.ts';

/**
 * Words of a judge's answer. In a conversation they show that somebody knows it is judged, or describes what judges do.
 * Matched against folded text.
 */
const SPEAKS_OF_VERDICTS = /\b(?:verdicts?|refute[ds]?)\b/;

/**
 * Whether a judge may refute the candidates of a Rule, given the messages that it was shown. A message may have been
 * written for its readers, the judge included. An answer that withdraws a candidate may then come from that writer.
 */
export function isRefutable(
  rule: Pick<RuleDefinition, 'ruleKey'> | undefined,
  shown: readonly ConversationMessage[],
): boolean {
  if (rule !== undefined && NEVER_WITHDRAWN.has(rule.ruleKey)) return false;
  return !shown.some(isTaintedForJudge);
}

/**
 * Checks all texts that a judge sees of a message. A system prompt comes from the application itself, so only its words
 * can taint it.
 */
function isTaintedForJudge(message: ConversationMessage): boolean {
  const { origin, error } = message;
  const texts = [...textsOf(message), ...(error === undefined ? [] : [error.message])];
  return texts.some(
    (content) =>
      SPEAKS_OF_VERDICTS.test(foldedText(content)) ||
      taintedRanges({ role: 'user', content, ...(origin === undefined ? {} : { origin }) }).length > 0,
  );
}
