import type { ConversationSnapshot, Detection } from '@clew/contracts';
import { describeError } from '@clew/kernel';
import { BUILT_IN_RULES, conclude, evaluatedSnapshotOf, runRule, type RuleOutcome } from '@clew/rules';
import { revisionNameOf, type RunnableRule } from '../rules/rule-setting.ts';
import type { Evaluation } from './evaluation.ts';

const DEFINITIONS = new Map(BUILT_IN_RULES.map((rule) => [rule.ruleId, rule]));
const UNKNOWN: RuleOutcome = {
  status: 'failed',
  reason: 'The rule could not be evaluated',
  error: new Error('the rule is not known here'),
};

/** Evaluates Rules and draws the conclusion about the conversation, as a worker does. */
export function evaluateSnapshot(snapshot: ConversationSnapshot, rules: readonly RunnableRule[]): Evaluation {
  const ended = rules.map((rule) => {
    const { ruleId, ...asked } = rule;
    const definition = DEFINITIONS.get(ruleId);
    return { rule, outcome: definition === undefined ? UNKNOWN : runRule(definition, snapshot, asked) };
  });
  const found = ended.flatMap(({ outcome }): Detection[] => ('detections' in outcome ? outcome.detections : []));
  const { detections, diagnosis, error } = conclude(snapshot, found);
  const byRule = Map.groupBy(detections, ({ ruleId }) => ruleId);
  return {
    snapshot: { snapshotId: snapshot.snapshotId, ...evaluatedSnapshotOf(snapshot) },
    runs: ended.map(({ rule, outcome }) => ({
      rule: revisionNameOf(rule),
      outcome:
        outcome.status === 'succeeded'
          ? { status: outcome.status, detections: byRule.get(rule.ruleId) ?? [] }
          : { status: outcome.status, reason: outcome.reason },
    })),
    ...(diagnosis === undefined ? {} : { diagnosis }),
    problems: [
      ...ended.flatMap(({ rule, outcome }) =>
        outcome.status === 'failed' ? [`${rule.ruleId}: ${describeError(outcome.error)}`] : [],
      ),
      ...(error === undefined ? [] : [`diagnosis: ${describeError(error)}`]),
    ],
  };
}
