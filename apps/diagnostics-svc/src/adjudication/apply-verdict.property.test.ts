import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CandidateVerdict } from '@clew/contracts';
import type { EvaluatedSnapshot, Occurrence } from '../findings/occurrence.ts';
import { resultMessageOf } from '../results/analysis-result.ts';
import { applyResults } from '../results/apply-results.ts';
import { conversationKey, type ResultState } from '../results/result-state.ts';
import { detectionOf, PROJECT_ID, resultOf, snapshotOf } from '../test-support/results.ts';
import { accuracyOf, confirmedConfidence } from './adjudication.ts';
import { applyVerdict, type JudgedRule } from './apply-verdict.ts';

const CONVERSATION = 'conversation-1';
const KEY = conversationKey(PROJECT_ID, CONVERSATION);
const CLUSTERS = ['loop', 'error', 'refusal'];
const EMPTY: ResultState = { conversations: new Map(), findings: new Map() };

function detected(state: ResultState, snapshot: Partial<EvaluatedSnapshot>, clusters: readonly string[]): ResultState {
  const { results } = resultMessageOf(
    resultOf({ conversationId: CONVERSATION, snapshot, found: { rule_a: clusters } }),
  );
  return applyResults(state, results, 1);
}

function shown(state: ResultState): Occurrence[] {
  return [...(state.conversations.get(KEY)?.rules.get('rule_a')?.occurrences.values() ?? [])] as Occurrence[];
}

function judged(state: ResultState, revision: number, verdicts: CandidateVerdict[], accuracy = 0.9): JudgedRule {
  const { snapshotId } = snapshotOf(PROJECT_ID, CONVERSATION, { revision });
  return {
    ...{ projectId: PROJECT_ID, conversationId: CONVERSATION, snapshotId, rule: { ruleId: 'rule_a' } },
    ...{ model: 'loop/wise', accuracy, verdicts },
    occurrences: shown(state).filter((occurrence) => occurrence.snapshotId === snapshotId),
  };
}

const verdictOn = (cluster: string, verdict: CandidateVerdict['verdict']): CandidateVerdict => ({
  clusterFingerprint: detectionOf(cluster).clusterFingerprint,
  ...{ verdict, because: `${cluster} it is`, quotes: [{ stepIndex: 1, quote: cluster }] },
});

const verdicts = fc.uniqueArray(
  fc.record({ cluster: fc.constantFrom(...CLUSTERS), verdict: fc.constantFrom('confirmed', 'refuted', 'none') }),
  { selector: ({ cluster }) => cluster },
);
const step = fc.oneof(
  fc.record({ kind: fc.constant('found' as const), revision: fc.nat({ max: 3 }), clusters: fc.subarray(CLUSTERS) }),
  fc.record({ kind: fc.constant('judged' as const), revision: fc.nat({ max: 3 }), given: verdicts }),
);

describe('verdicts and results in any order', () => {
  it('never count anything twice: counts are those of what is shown, and no verdict adds to them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let state = EMPTY;
        for (const each of steps) {
          const before = state;
          if (each.kind === 'found') state = detected(state, { revision: each.revision + 1 }, each.clusters);
          else {
            const given = each.given.map(({ cluster, verdict }) => verdictOn(cluster, verdict));
            const verdict = judged(state, each.revision + 1, given);
            ({ state } = applyVerdict(state, verdict, 9));
            expect(shown(state).length).toBeLessThanOrEqual(shown(before).length);
            const others = (of: ResultState) => shown(of).filter(({ snapshotId }) => snapshotId !== verdict.snapshotId);
            expect(others(state)).toEqual(others(before));
          }
          expect(state.conversations.get(KEY)?.findingCount ?? 0).toBe(shown(state).length);
          for (const { head } of state.findings.values()) {
            expect(head.occurrenceCount).toBe(shown(state).filter(({ findingId }) => findingId === head.id).length);
            expect(head.lastDetectedAt).toBe(1);
          }
        }
      }),
    );
  });

  it('say the same when they come again', () => {
    fc.assert(
      fc.property(verdicts, (given) => {
        const found = detected(EMPTY, {}, CLUSTERS);
        const said = given.map(({ cluster, verdict }) => verdictOn(cluster, verdict));
        const { state: once } = applyVerdict(found, judged(found, 1, said), 9);
        const { state: twice } = applyVerdict(once, judged(once, 1, said), 10);
        expect(shown(twice)).toEqual(shown(once));
      }),
    );
  });
});

describe('a verdict', () => {
  it('that confirms makes the Finding more certain, and says by whom and from what', () => {
    const found = detected(EMPTY, {}, ['loop']);
    const { state, left } = applyVerdict(found, judged(found, 1, [verdictOn('loop', 'confirmed')]), 9);
    const [{ findingId, detection }] = left as [Occurrence];
    const source = {
      kind: 'model',
      model: 'loop/wise',
      accuracy: 0.9,
      candidateConfidence: 0.9,
      because: 'loop it is',
    };
    expect(detection).toMatchObject({ diagnosticConfidence: 0.9878, confidenceSource: source });
    const { head, description } = state.findings.get(findingId)!;
    expect(description).toMatchObject({ diagnosticConfidence: 0.9878, confidenceSource: source });
    expect(head).toMatchObject({ occurrenceCount: 1, lastDetectedAt: 1, updatedAt: 9 });
  });

  it('that confirms what a Rule says that was often wrong on labelled conversations makes it less certain than others', () => {
    const certaintyOf = (ruleKey: string) => {
      const found = detected(EMPTY, {}, ['loop']);
      const { occurrences, ...rest } = judged(found, 1, [verdictOn('loop', 'confirmed')]);
      const [occurrence] = occurrences as [Occurrence];
      const relabelled = { ...occurrence, detection: { ...occurrence.detection, ruleKey } };
      const { left } = applyVerdict(found, { ...rest, occurrences: [relabelled] }, 9);
      return left[0]!.detection;
    };
    expect(certaintyOf('refusal').confidenceSource).toMatchObject({ labelled: { flagged: 11, failed: 4 } });
    expect(certaintyOf('refusal').diagnosticConfidence).toBeLessThan(certaintyOf('a').diagnosticConfidence);
  });

  it.each(['prompt_injection', 'sensitive_data_in_output'])(
    'that refutes what %s found changes nothing, and one that confirms it counts',
    (ruleKey) => {
      const found = detected(EMPTY, {}, ['loop']);
      const said = (verdict: CandidateVerdict['verdict']) => {
        const { occurrences, ...rest } = judged(found, 1, [verdictOn('loop', verdict)]);
        const [occurrence] = occurrences as [Occurrence];
        const safety = { ...occurrence, detection: { ...occurrence.detection, ruleKey } };
        return applyVerdict(found, { ...rest, occurrences: [safety] }, 9);
      };
      expect(said('refuted').state).toBe(found);
      expect(said('refuted').left).toHaveLength(1);
      expect(said('confirmed').left[0]!.detection.confidenceSource).toMatchObject({ kind: 'model' });
    },
  );

  it('that refutes takes the Finding out of the list', () => {
    const found = detected(EMPTY, {}, ['loop', 'error']);
    const { state, left } = applyVerdict(found, judged(found, 1, [verdictOn('loop', 'refuted')]), 9);
    expect(left.map(({ detection }) => detection.title)).toEqual(['error']);
    expect([...state.findings.values()].map(({ head }) => [head.occurrenceCount, head.listed])).toEqual([
      [0, false],
      [1, true],
    ]);
  });

  it('on an older snapshot leaves what a newer one shows alone', () => {
    const first = detected(EMPTY, { revision: 1 }, ['loop']);
    const old = judged(first, 1, [verdictOn('loop', 'refuted')]);
    const newer = detected(first, { revision: 2 }, ['loop']);
    expect(applyVerdict(newer, old, 9).state).toBe(newer);
  });
});

describe('the confidence of what was confirmed', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('is never less than before, and more the better the model judges', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.99, noNaN: true }), share, share, (before, one, other) => {
        const [worse, better] = [accuracyOf(Math.min(one, other)), accuracyOf(Math.max(one, other))];
        const confirmed = confirmedConfidence(before, worse);
        expect(confirmed).toBeGreaterThanOrEqual(before - 0.0001);
        expect(confirmedConfidence(before, better)).toBeGreaterThanOrEqual(confirmed);
        expect(confirmedConfidence(before, better)).toBeLessThan(1);
      }),
    );
  });

  it('stays what it was where nobody knows how the model judges', () => {
    expect(confirmedConfidence(0.7, accuracyOf(undefined))).toBe(0.7);
  });
});
