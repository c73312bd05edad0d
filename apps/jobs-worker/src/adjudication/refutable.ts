import type { ConversationMessage } from '@clew/contracts';
import { NEVER_WITHDRAWN, type RuleDefinition } from '@clew/rules';
import { isTaintedForJudge } from '@clew/review';

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
