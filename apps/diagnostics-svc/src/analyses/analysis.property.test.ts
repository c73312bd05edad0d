import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROJECT_ID } from '../test-support/results.ts';
import { newAnalysis, withEndedRuns, withoutRun, withQueuedRuns, type Analysis, type RunEnd } from './analysis.ts';
import { analysisOf, documentOf } from './analysis.model.ts';

const TARGET = { projectId: PROJECT_ID, conversationId: 'a chat', snapshotId: 'cesr_1' };

const rule = fc.record(
  { ruleId: fc.constantFrom('rule_a', 'rule_b', 'rule_c'), revision: fc.constantFrom('2', '3') },
  { requiredKeys: ['ruleId'] },
);
const rules = fc.uniqueArray(rule, { minLength: 1, maxLength: 6, selector: (each) => JSON.stringify(each) });
const end: fc.Arbitrary<RunEnd> = fc.record({
  rule,
  state: fc.constantFrom('succeeded', 'failed', 'skipped'),
  reason: fc.constantFrom('a reason'),
});
type Step = { queue: { ruleId: string; revision?: string }[] } | { ends: RunEnd[] };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    rules.map((queue) => ({ queue })),
    fc.array(end, { maxLength: 6 }).map((ends) => ({ ends })),
  ),
  { maxLength: 8 },
);

function after(all: readonly Step[]): Analysis[] {
  const states = [newAnalysis(TARGET, 0)];
  for (const [index, step] of all.entries()) {
    const analysis = states.at(-1)!;
    if ('ends' in step) {
      const ends = step.ends.map((each) => (each.state === 'succeeded' ? { ...each, reason: null } : each));
      states.push(withEndedRuns(analysis, ends, index + 1));
    } else {
      const missing = withoutRun(analysis, step.queue);
      states.push(missing.length === 0 ? analysis : withQueuedRuns(analysis, missing));
    }
  }
  return states.filter(({ runs }) => runs.size > 0);
}

const queued = ({ runs }: Analysis) => [...runs.values()].filter(({ state }) => state === 'queued').length;

describe('the analysis of a snapshot', () => {
  it('is the same once it was stored and read again, whatever its runs have come to', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const analysis of after(all)) {
          const stored: unknown = JSON.parse(JSON.stringify(documentOf(analysis)));
          expect(analysisOf(stored as ReturnType<typeof documentOf>)).toEqual(analysis);
        }
      }),
    );
  });

  it('has ended exactly while none of its runs is queued', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const analysis of after(all)) expect(analysis.endedAt === null).toBe(queued(analysis) > 0);
      }),
    );
  });

  it('tells, of each Rule, what its latest revision that succeeded has found, in whatever order they end', () => {
    const ended = fc.uniqueArray(
      fc.record({ revision: fc.constantFrom('1', '2', '10'), score: fc.double({ min: 0, max: 1 }) }),
      {
        selector: ({ revision }) => revision,
      },
    );
    fc.assert(
      fc.property(ended, fc.boolean(), (all, areTogether) => {
        const ends = all.map(({ revision, score }): RunEnd => {
          const found = { ruleId: 'rule_a', score, severity: 'low' as const, findingIds: [] };
          const own = revision === '1' ? { ruleId: 'rule_a' } : { ruleId: 'rule_a', revision };
          return { rule: own, state: 'succeeded', reason: null, ...(score < 0.5 ? {} : { found }) };
        });
        const steps = areTogether ? [ends] : ends.map((each) => [each]);
        const analysis = steps.reduce((before, step) => withEndedRuns(before, step, 1), newAnalysis(TARGET, 0));
        const [latest] = all.toSorted((left, right) => Number(right.revision) - Number(left.revision));
        const expected = latest === undefined || latest.score < 0.5 ? [] : [latest.score];
        expect(analysis.found.map(({ score }) => score)).toEqual(expected);
      }),
    );
  });

  it('loses no run, and changes none that succeeded or was skipped', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const states = after(all);
        for (const [index, analysis] of states.entries()) {
          for (const [key, run] of states[index - 1]?.runs ?? []) {
            if (run.state === 'succeeded' || run.state === 'skipped') expect(analysis.runs.get(key)).toBe(run);
            else expect(analysis.runs.has(key)).toBe(true);
          }
        }
      }),
    );
  });

  it('takes no more room for a Rule than its name', () => {
    const documentOfRules = (count: number) => {
      const all = Array.from({ length: count }, (_, index) => ({ ruleId: `rule_${String(index).padStart(20, '0')}` }));
      const ends = all.map((each): RunEnd => ({ rule: each, state: 'succeeded', reason: null }));
      return JSON.stringify(documentOf(withEndedRuns(withQueuedRuns(newAnalysis(TARGET, 0), all), ends, 1)));
    };
    expect(documentOfRules(20).length - documentOfRules(1).length).toBe(19 * 'rule_ '.length + 19 * 20);
  });
});
