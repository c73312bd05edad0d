import type { CheckedExpectation, ConversationSnapshot, Detection, RuleConfiguration } from '@clew/contracts';
import { evaluateRule } from './evaluate-rule.ts';
import { detectBrokenExpectations, expectationBroken } from './expectations/expectation-broken.ts';
import type { RuleDefinition } from './rule.ts';

/** Settings of a project for a Rule, with the project's Expectations if the Rule checks them. */
export interface RuleSettings {
  readonly configuration: RuleConfiguration;
  readonly expectations?: readonly CheckedExpectation[] | undefined;
}

/** Evaluates a Rule on a snapshot with a project's settings. */
export function evaluateBuiltInRule(
  rule: RuleDefinition,
  snapshot: ConversationSnapshot,
  { configuration, expectations = [] }: RuleSettings,
): Detection[] {
  const isOfExpectations = rule.ruleId === expectationBroken.ruleId;
  if (isOfExpectations) return detectBrokenExpectations(expectations, snapshot, configuration);
  return evaluateRule(rule, snapshot, configuration);
}
