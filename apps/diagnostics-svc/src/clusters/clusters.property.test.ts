import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEVERITIES, type SplitCondition } from '@clew/contracts';
import { AppError, sha256Hex } from '@clew/kernel';
import { isRoot, type HeadOf } from '../findings/clusters/cluster.ts';
import { merged, unmerged } from '../findings/clusters/merge.ts';
import { findingIdOf } from '../findings/occurrence.ts';
import { resultMessageOf } from '../results/analysis-result.ts';
import { applyResults } from '../results/apply-results.ts';
import type { ResultState } from '../results/result-state.ts';
import { withVerdicts } from '../results/review-occurrences.ts';
import { headOfState, shownOf } from '../results/with-clusters.ts';
import {
  conversationsOf,
  NOTHING,
  occurrencesOf,
  regrouped,
  settled,
  shownAll,
  worstOf,
} from '../test-support/cluster-world.ts';
import { detectionOf, PROJECT_ID, resultOf } from '../test-support/results.ts';
import { plannedSplit, withSplit } from './split.ts';

const numRuns = Number(process.env['CLEW_PROPERTY_RUNS'] ?? 300);
const CLUSTERS = ['loop', 'error', 'refusal', 'leak'];
const CONVERSATIONS = ['chat-1', 'chat-2', 'chat-3', 'chat-4'];

/** Index of a Finding among all Findings. */
const place = fc.nat({ max: 9 });
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('detect' as const),
      conversationId: fc.constantFrom(...CONVERSATIONS),
      revision: fc.integer({ min: 1, max: 6 }),
      ruleId: fc.constantFrom('rule_a', 'rule_b'),
      clusters: fc.subarray(CLUSTERS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), one: place, other: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unmerge' as const), one: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('split' as const),
      one: place,
      condition: fc.oneof(
        fc.constantFrom('signal 0', 'signal 1').map((signal): SplitCondition => ({ signal })),
        fc.subarray(CONVERSATIONS, { minLength: 1 }).map((conversationIds): SplitCondition => ({ conversationIds })),
      ),
    }),
  },
  fc.record({ do: fc.constant('withdraw' as const), which: fc.nat({ max: 20 }) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Step> ? Step : never;

function detected(before: ResultState, step: Extract<Operation, { do: 'detect' }>, nowMs: number): ResultState {
  const { conversationId, revision, ruleId, clusters } = step;
  const detections = clusters.map((cluster) => {
    const [severity = 0, score = 0, signal = 0] = Buffer.from(
      sha256Hex(`${conversationId} ${revision} ${cluster}`),
      'hex',
    );
    return detectionOf(`${ruleId} ${cluster}`, {
      ruleId,
      severity: SEVERITIES[severity % SEVERITIES.length] ?? 'info',
      diagnosticScore: (score % 4) / 4,
      signals: [`signal ${signal % 2}`],
    });
  });
  const message = resultOf({ conversationId, snapshot: { revision }, found: { [ruleId]: detections } });
  return settled(before, applyResults(before, resultMessageOf(message).results, nowMs), nowMs);
}

function split(before: ResultState, parentId: string, condition: SplitCondition, nowMs: number): ResultState {
  const planned = plannedSplit(before.findings.get(parentId)!.head, condition);
  const { conversationIds, signal } = condition;
  const moved = occurrencesOf(before).filter(
    ({ findingId, conversationId, detection }) =>
      findingId === parentId && (conversationIds?.includes(conversationId) ?? detection.signals.includes(signal ?? '')),
  );
  if (moved.length === 0) throw new AppError('CONFLICT', 'nothing matches');
  const after = settled(before, withSplit(before, { ...planned, moved }, nowMs), nowMs);
  const undone = merge(after, planned.split.findingId, parentId, nowMs + 1);
  // These know one member more.
  const ids = new Set([parentId, planned.split.findingId, before.findings.get(parentId)?.head.rootId]);
  expect(factsOf(undone, parentId)).toEqual(factsOf(before, parentId));
  expect(countsOf(undone)).toEqual(countsOf(before));
  const others = (state: ResultState) => [...shownAll(state)].filter(([id]) => !ids.has(id));
  expect(others(undone)).toEqual(others(before));
  return after;
}

function merge(before: ResultState, findingId: string, into: string, nowMs: number): ResultState {
  return regrouped(before, merged(headOfState(before), { findingId, into }, nowMs));
}

function unmerge(before: ResultState, findingId: string, nowMs: number): ResultState {
  return regrouped(before, unmerged(headOfState(before), findingId, nowMs));
}

/** Facts that a Finding states about the conversations that it counts; for a merged Finding, those of its root. */
function factsOf(state: ResultState, findingId: string) {
  const root = state.findings.get(findingId)?.head.rootId ?? findingId;
  const { occurrenceCount, severity, diagnosticScore, primary, window } = shownOf(state, root)!;
  const { firstDetectedAt, lastDetectedAt, listed } = shownOf(state, root)!;
  const conversationIds = window.map((entry) => entry.conversationId).toSorted();
  const { conversationId, severityRank } = primary ?? {};
  return {
    ...{ occurrenceCount, severity, diagnosticScore, firstDetectedAt, lastDetectedAt, listed },
    ...(occurrenceCount === 0 ? {} : { conversationIds, severityRank, isKnown: conversationId !== undefined }),
  };
}

function countsOf(state: ResultState): Map<string, number> {
  return new Map([...state.conversations].map(([key, { findingCount }]) => [key, findingCount]));
}

function applied(before: ResultState, step: Operation, nowMs: number): ResultState {
  const ids = [...before.findings.keys()];
  const at = (index: number) => ids[index % ids.length]!;
  if (step.do === 'detect') return detected(before, step, nowMs);
  if (ids.length === 0) return before;
  if (step.do === 'split') return split(before, at(step.one), step.condition, nowMs);
  if (step.do === 'unmerge') return unmerge(before, at(step.one), nowMs);
  if (step.do === 'withdraw') {
    const all = occurrencesOf(before);
    const one = all[step.which % Math.max(1, all.length)];
    if (one === undefined) return before;
    return settled(before, withVerdicts(before, new Map([[one.id, { detection: undefined }]]), nowMs), nowMs);
  }
  const [one, other] = [at(step.one), at(step.other)];
  const after = merge(before, one, other, nowMs);
  expect(shownAll(unmerge(after, one, nowMs + 1))).toEqual(shownAll(before));
  return after;
}

/** Compares every stored count with one of the occurrences themselves. */
function expectTrue(state: ResultState): void {
  const all = occurrencesOf(state);
  const headOf: HeadOf = headOfState(state);
  const stated = [...state.findings].map(([id, { head }]) => {
    const { occurrenceCount, primary, listed, severity, diagnosticScore } = shownOf(state, id)!;
    // Each merged Finding leads to a root that lists it as a member.
    const root = head.rootId === undefined ? undefined : headOf(head.rootId);
    const isKnown = root === undefined || (root.rootId === undefined && root.memberIds?.includes(id) === true);
    const isOne = (head.mergedInto === undefined) === (root === undefined) && !(isRoot(head) && root !== undefined);
    const said = primary === null ? {} : { severity, diagnosticScore };
    return { id, occurrenceCount, primaryId: primary?.id, listed, isKnown, isOne, ...said };
  });
  expect(stated).toEqual(
    [...state.findings].map(([id, { head }]) => {
      const { mergedInto, memberIds = [] } = head;
      const own = all.filter(({ findingId }) => findingId === id || memberIds.includes(findingId));
      const worst = worstOf(own);
      const occurrenceCount = conversationsOf(state, head).size;
      const diagnosticScore = Math.max(...own.map((each) => each.diagnosticScore));
      const said = worst === undefined ? {} : { severity: worst.detection.severity, diagnosticScore };
      const listed = mergedInto === undefined && own.length > 0;
      return { id, occurrenceCount, primaryId: worst?.id, listed, isKnown: true, isOne: true, ...said };
    }),
  );
  const conversations = [...state.conversations.values()];
  expect(conversations.map(({ findingCount }) => findingCount)).toEqual(
    conversations.map(({ conversationId }) => {
      const own = all.filter((each) => each.conversationId === conversationId);
      return new Set(own.map(({ findingId }) => headOf(findingId)?.rootId ?? findingId)).size;
    }),
  );
}

describe('any sequence of detections, withdrawals, merges, unmerges and splits', () => {
  it('gives the counts, severities and scores of the occurrences, and what is undone leaves nothing behind', () => {
    const happened = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40, size: 'medium' }), (steps) => {
        let state = NOTHING;
        steps.forEach((step, index) => {
          const before = state;
          try {
            state = applied(state, step, 10 * (index + 1));
            if (state !== before) happened.set(step.do, (happened.get(step.do) ?? 0) + 1);
          } catch (error) {
            // A refused operation must have changed nothing.
            if (!(error instanceof AppError)) throw error;
            expect(step.do).not.toBe('detect');
          }
          expectTrue(state);
        });
      }),
      { numRuns },
    );
    for (const kind of ['detect', 'merge', 'unmerge', 'split', 'withdraw']) {
      expect(happened.get(kind) ?? 0).toBeGreaterThan(numRuns / 10);
    }
  });
});

describe('a Finding', () => {
  const [a, b, c] = ['loop', 'error', 'leak'].map((cluster) => {
    return findingIdOf(PROJECT_ID, detectionOf(`rule_a ${cluster}`).clusterFingerprint);
  }) as [string, string, string];
  const step = { do: 'detect', ruleId: 'rule_a', conversationId: 'chat-1', revision: 1, clusters: CLUSTERS } as const;
  const all = detected(NOTHING, { ...step, clusters: [...CLUSTERS] }, 1);

  it('is not merged into itself, into what was merged into it, or twice', () => {
    expect(() => merge(all, a, a, 2)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    const chain = merge(merge(all, a, b, 2), b, c, 3);
    expect(() => merge(chain, c, a, 4)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    expect(() => merge(chain, a, c, 4)).toThrow(expect.objectContaining({ code: 'FINDING_MERGED' }));
    expect(() => unmerge(all, a, 2)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });

  it('takes along what was merged into it, when it is merged and when that is undone', () => {
    const inner = merge(all, a, b, 2);
    const outer = merge(inner, b, c, 3);
    expect(outer.findings.get(a)?.head).toMatchObject({ mergedInto: b, rootId: c });
    expect(shownAll(unmerge(outer, b, 4))).toEqual(shownAll(inner));
  });
});
