import type { ConversationMessage } from '@clew/contracts';
import { foldedText, taintedRanges } from '@clew/knowledge';
import { NEVER_WITHDRAWN, type RuleDefinition } from '@clew/rules';
import { textsOf } from './verdicts.ts';

/** Words of a judge's answer, in a conversation: somebody knows that it is judged, or writes of what judges do. Matched on folded text. */
const SPEAKS_OF_VERDICTS = /\b(?:verdicts?|refute[ds]?)\b/;

/**
 * Whether a judge that was shown some messages may refute what a Rule found. Where one of them may have been written for
 * whoever reads it, an answer that withdraws something may be that writer's.
 */
export function isRefutable(
  rule: Pick<RuleDefinition, 'ruleKey'> | undefined,
  shown: readonly ConversationMessage[],
): boolean {
  if (rule !== undefined && NEVER_WITHDRAWN.has(rule.ruleKey)) return false;
  return !shown.some(isTaintedForJudge);
}

/** All that is shown of a message counts. A system prompt is the application's own: it is tainted by what it says alone. */
function isTaintedForJudge(message: ConversationMessage): boolean {
  const { origin, error } = message;
  const texts = [...textsOf(message), ...(error === undefined ? [] : [error.message])];
  return texts.some(
    (content) =>
      SPEAKS_OF_VERDICTS.test(foldedText(content)) ||
      taintedRanges({ role: 'user', content, ...(origin === undefined ? {} : { origin }) }).length > 0,
  );
}
