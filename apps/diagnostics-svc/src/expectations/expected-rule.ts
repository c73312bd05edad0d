import type { RequestedRule, RuleRevision } from '@clew/contracts';
import { expectationBroken } from '@clew/rules';
import type { EnabledRules } from '../rules/index.ts';
import type { CheckedSets } from './checked-sets.ts';
import type { CheckedSet } from './expectation.ts';

/** Beyond as many changes of the Rule's own configuration, only those of the Expectations are told apart. */
const RULE_REVISIONS = 10_000;

/**
 * The rule expectation_broken with what a project expects, which is a part of its configuration. Revisions are numbers
 * that grow: that of the Expectations counts in ten thousands, and that of the Rule's own configuration (1 where it has no
 * name) below. Other Rules stay as they are.
 */
export function expectedRule(rule: RequestedRule, set: CheckedSet | undefined): RequestedRule {
  if (set === undefined || rule.ruleId !== expectationBroken.ruleId) return rule;
  const own = Math.min(Number(rule.revision ?? 1), RULE_REVISIONS - 1);
  const revision = String(set.revision * RULE_REVISIONS + own);
  return { ...rule, revision, ...(set.active.length === 0 ? {} : { expectations: [...set.active] }) };
}

/** The enabled Rules, with what each project expects. */
export function createExpectedRules(rules: EnabledRules, checkedSets: CheckedSets): EnabledRules {
  async function ofProjects(projectIds: readonly string[]) {
    const enabled = await rules.ofProjects(projectIds);
    const sets = await checkedSets(projectIds);
    return new Map(
      [...enabled].map(([projectId, own]) => [projectId, own.map((rule) => expectedRule(rule, sets.get(projectId)))]),
    );
  }

  return {
    ofProjects,
    async of(projectId) {
      return (await ofProjects([projectId])).get(projectId) ?? [];
    },
  };
}

/** The revision of the Expectations that a run checked; 0 where there were none yet. */
export function expectationsRevisionOf({ revision = '1' }: RuleRevision): number {
  return Math.floor(Number(revision) / RULE_REVISIONS);
}
