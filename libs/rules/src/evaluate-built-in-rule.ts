import type { CheckedExpectation, ConversationSnapshot, Detection, RuleConfiguration } from '@clew/contracts';
import { evaluateRule } from './evaluate-rule.ts';
import { detectBrokenExpectations, expectationBroken } from './expectations/expectation-broken.ts';
import type { RuleDefinition } from './rule.ts';

/** How a project has set a Rule, with what it expects of its agents where that is what the Rule checks. */
export interface RuleSettings {
  readonly configuration: RuleConfiguration;
  readonly expectations?: readonly CheckedExpectation[] | undefined;
}

/** What a Rule finds in a snapshot as a project has set it. */
export function evaluateBuiltInRule(
  rule: RuleDefinition,
  snapshot: ConversationSnapshot,
  { configuration, expectations = [] }: RuleSettings,
): Detection[] {
  const isOfExpectations = rule.ruleId === expectationBroken.ruleId;
  if (isOfExpectations) return detectBrokenExpectations(expectations, snapshot, configuration);
  return evaluateRule(rule, snapshot, configuration);
}
