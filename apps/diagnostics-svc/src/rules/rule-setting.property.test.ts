import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RuleChange, RuleConfiguration, SEVERITIES, type ConfigurationChange } from '@clew/contracts';
import { BUILT_IN_RULES } from '@clew/rules';
import { configurationOf, unchangedSetting, withConfiguration, type RuleSetting } from './rule-setting.ts';

const RULE = BUILT_IN_RULES[0]!;
const SIGNALS = RULE.signals.map(({ name }) => name);

const override = fc
  .record({ enabled: fc.boolean(), severity: fc.constantFrom(...SEVERITIES) }, { requiredKeys: [] })
  .filter((each) => Object.keys(each).length > 0);
const change: fc.Arbitrary<ConfigurationChange> = fc
  .record(
    {
      keywords: fc.array(fc.constantFrom('oops', 'nope', 'broken'), { maxLength: 2 }),
      minSignalScore: fc.constantFrom(0, 0.5, 1),
      minDiagnosticConfidence: fc.constantFrom(0, 0.5, 1),
      adjudicationMode: fc.constantFrom('auto' as const, 'deterministic-only' as const),
      adjudicationModel: fc.constantFrom(null, 'openai/gpt-4o-mini'),
      signalOverrides: fc.dictionary(fc.constantFrom(...SIGNALS), fc.option(override), { noNullPrototype: true }),
    },
    { requiredKeys: [] },
  )
  .filter((each) => Object.keys(each).length > 0);

function after(changes: readonly ConfigurationChange[]): RuleSetting[] {
  const states = [unchangedSetting('prj_1', RULE.ruleId)];
  for (const each of changes) states.push(withConfiguration(RULE, states.at(-1)!, each, states.length));
  return states;
}

/** Second implementation of the merge: field by field, and signal by signal. */
function expectedAfter(before: RuleConfiguration, { signalOverrides, ...fields }: ConfigurationChange) {
  const overrides = RULE.signals.flatMap(({ name, defaultSeverity }) => {
    const [known, own] = [before.signalOverrides[name], signalOverrides?.[name]];
    if (own === null || (own === undefined && known === undefined)) return [];
    return [[name, { enabled: true, severity: defaultSeverity, ...known, ...own }] as const];
  });
  return { ...before, ...fields, signalOverrides: Object.fromEntries(overrides) };
}

describe('a configuration', () => {
  it('keeps what a change leaves out, field by field and signal by signal, and drops the overrides set to null', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const states = after(changes);
        for (const [index, each] of changes.entries()) {
          const [before, next] = [states[index]!, states[index + 1]!];
          expect(configurationOf(RULE, next)).toEqual(expectedAfter(configurationOf(RULE, before), each));
        }
      }),
    );
  });

  it('is always one that a worker takes, whatever was changed', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        for (const each of changes) expect(RuleChange.safeParse({ configuration: each }).success).toBe(true);
        for (const state of after(changes)) {
          const configuration = configurationOf(RULE, state);
          expect(RuleConfiguration.parse(configuration)).toEqual(configuration);
        }
      }),
    );
  });

  it('has another revision, a later one, exactly when it is another one than before', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const states = after(changes);
        for (const [index, next] of states.slice(1).entries()) {
          const before = states[index]!;
          const isSame = JSON.stringify(sorted(before)) === JSON.stringify(sorted(next));
          expect(next.revision).toBe(isSame ? before.revision : before.revision + 1);
        }
      }),
    );
  });

  it('follows the defaults of the version that runs in whatever was not changed', () => {
    const setting = withConfiguration(RULE, unchangedSetting('prj_1', RULE.ruleId), { minSignalScore: 0.9 }, 1);
    const later = { ...RULE, defaultConfiguration: { ...RULE.defaultConfiguration, minDiagnosticConfidence: 0.6 } };
    expect(configurationOf(later, setting)).toMatchObject({ minSignalScore: 0.9, minDiagnosticConfidence: 0.6 });
  });
});

/** Effective configuration in a fixed order. */
function sorted(setting: RuleSetting): unknown[] {
  const { signalOverrides, ...fields } = configurationOf(RULE, setting);
  return [
    ...[fields.keywords, fields.minSignalScore, fields.minDiagnosticConfidence],
    ...[fields.adjudicationMode, fields.adjudicationModel],
    ...SIGNALS.map((name) => [signalOverrides[name]?.enabled ?? null, signalOverrides[name]?.severity ?? null]),
  ];
}
