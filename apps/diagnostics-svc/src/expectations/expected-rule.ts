import type { RequestedRule, RuleRevision } from '@clew/contracts';
import { expectationBroken } from '@clew/rules';
import type { EnabledRules } from '../rules/index.ts';
import type { CheckedSets } from './checked-sets.ts';
import type { CheckedSet } from './expectation.ts';

/** Limit on the revisions of the Rule's own configuration; beyond it, only those of the Expectations still differ. */
const RULE_REVISIONS = 10_000;

/**
 * Adds a project's Expectations to the configuration of the rule expectation_broken; other Rules stay as they are.
 * Revisions are growing numbers: that of the Expectations times ten thousand, plus that of the Rule's own configuration
 * (1 if it has no name).
 */
export function expectedRule(rule: RequestedRule, set: CheckedSet | undefined): RequestedRule {
  if (set === undefined || rule.ruleId !== expectationBroken.ruleId) return rule;
  const own = Math.min(Number(rule.revision ?? 1), RULE_REVISIONS - 1);
  const revision = String(set.revision * RULE_REVISIONS + own);
  return { ...rule, revision, ...(set.active.length === 0 ? {} : { expectations: [...set.active] }) };
}

/** Wraps the enabled Rules, and adds the Expectations of each project. */
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

/** Revision of the Expectations that a run checked; 0 if there were none yet. */
export function expectationsRevisionOf({ revision = '1' }: RuleRevision): number {
  return Math.floor(Number(revision) / RULE_REVISIONS);
}
