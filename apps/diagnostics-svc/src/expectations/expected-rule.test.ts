import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BUILT_IN_RULES, DEFAULT_RULE_CONFIGURATION as configuration, expectationBroken } from '@clew/rules';
import { expectationsRevisionOf, expectedRule } from './expected-rule.ts';

const { ruleId } = expectationBroken;
const NOTHING = { active: [] };

describe('the rule of Expectations', () => {
  it('has a revision that grows with every change, of the Expectations and of its own configuration', () => {
    const changes = fc.array(fc.constantFrom('rule', 'set'), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(changes, (all) => {
        const count = (kind: string, length: number) => all.slice(0, length).filter((each) => each === kind).length;
        const revisions = all.map((_, index) => {
          const [own, revision] = [count('rule', index + 1), count('set', index + 1)];
          const rule = { ruleId, configuration, ...(own === 0 ? {} : { revision: String(own + 1) }) };
          const expected = expectedRule(rule, revision === 0 ? undefined : { revision, ...NOTHING });
          expect(expectationsRevisionOf(expected)).toBe(revision);
          return Number(expected.revision ?? 1);
        });
        expect(revisions).toEqual([...new Set(revisions)].toSorted((left, right) => left - right));
      }),
    );
  });

  it('carries what is active, and no other Rule is touched', () => {
    const active = [{ id: 'exp_1', statement: 'x', severity: 'low', check: { form: 'one_call_at_a_time' } }] as const;
    const set = { revision: 3, active: [...active] };
    expect(expectedRule({ ruleId, configuration }, set)).toEqual({
      ...{ ruleId, configuration, revision: '30001' },
      expectations: active,
    });
    for (const { ruleId: other } of BUILT_IN_RULES.filter((rule) => rule.ruleId !== ruleId)) {
      expect(expectedRule({ ruleId: other, configuration }, set)).toEqual({ ruleId: other, configuration });
    }
  });
});
