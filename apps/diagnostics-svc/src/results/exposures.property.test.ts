import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { merged, unmerged } from '../findings/clusters/merge.ts';
import type { FindingHead } from '../findings/finding.ts';
import { findingIdOf } from '../findings/occurrence.ts';
import { recurrenceBound } from '../findings/resolution/recurrence-bound.ts';
import { awaitingVerification } from '../findings/resolution/resolution.ts';
import type { Exposure } from '../findings/verification/index.ts';
import { NOTHING, regrouped, settled } from '../test-support/cluster-world.ts';
import { detectionOf, PROJECT_ID, resultOf, STARTED_AT } from '../test-support/results.ts';
import { resultMessageOf } from './analysis-result.ts';
import { applyResults } from './apply-results.ts';
import { cleanExposures, requiredOnes, withExposures } from './exposures.ts';
import type { ResultState } from './result-state.ts';
import { headOfState } from './with-clusters.ts';

const RUNS = { numRuns: Number(process.env['CLEW_PROPERTY_RUNS'] ?? 200) };
const REQUIRED = 3;
const FIXED_AT = STARTED_AT + 10_000;

const LOOP = detectionOf('loop', { ruleId: 'rule_a', situation: { tools: ['pay'] } });
const OTHER = detectionOf('other', { ruleId: 'rule_a', situation: { agent: 'desk' } });
const idOf = ({ clusterFingerprint }: typeof LOOP) => findingIdOf(PROJECT_ID, clusterFingerprint);
const LOOP_ID = idOf(LOOP);

/** Memory of the exposures, as the store keeps it. */
interface World {
  state: ResultState;
  counted: Set<string>;
}

const keyOf = ({ findingId, since, conversationId }: Exposure) => `${findingId} ${since} ${conversationId}`;

interface Told {
  conversation: number;
  revision: number;
  /** Whether the conversation started after the repair. */
  isLater: boolean;
  shows: boolean;
  offers: boolean;
  ruleId: 'rule_a' | 'rule_b';
  outcome: 'succeeded' | 'failed';
}

function resultsOf({ conversation, revision, isLater, shows, offers, ruleId, outcome }: Told) {
  const startedAt = isLater ? FIXED_AT + 1 + conversation : STARTED_AT;
  const offered = { agents: ['clerk'], tools: offers ? ['find', 'pay'] : ['find'] };
  const detections = shows && ruleId === 'rule_a' ? [LOOP] : [];
  return resultMessageOf(
    resultOf({
      conversationId: `conversation-${conversation}`,
      snapshot: { revision, startedAt, throughMs: startedAt + revision, offered },
      found: { [ruleId]: outcome === 'failed' ? 'failed' : detections },
    }),
  ).results;
}

function take({ state, counted }: World, told: readonly Told[], nowMs: number): World {
  const results = told.flatMap(resultsOf);
  const after = settled(state, applyResults(state, results, nowMs), nowMs);
  const fresh = cleanExposures(after, results).filter((exposure) => !counted.has(keyOf(exposure)));
  const required = requiredOnes(after, fresh);
  return {
    state: withExposures(after, required, nowMs),
    counted: new Set([...counted, ...required.map(keyOf)]),
  };
}

function changed({ state, counted }: World, findingId: string, change: (head: FindingHead) => FindingHead): World {
  const finding = state.findings.get(findingId)!;
  const findings = new Map(state.findings).set(findingId, { ...finding, head: change(finding.head) });
  return { state: { ...state, findings }, counted };
}

function found(...detections: (typeof LOOP)[]): World {
  const message = resultOf({ conversationId: 'first', found: { rule_a: detections } });
  const { results } = resultMessageOf(message);
  return { state: settled(NOTHING, applyResults(NOTHING, results, STARTED_AT), STARTED_AT), counted: new Set() };
}

const repaired = (head: FindingHead) => awaitingVerification(head, { requiredExposures: REQUIRED, nowMs: FIXED_AT });
const headIn = ({ state }: World, findingId = LOOP_ID) => headOfState(state)(findingId)!;

const telling: fc.Arbitrary<Told> = fc.record({
  conversation: fc.integer({ min: 1, max: 6 }),
  revision: fc.integer({ min: 1, max: 3 }),
  isLater: fc.constant(true),
  shows: fc.boolean(),
  offers: fc.boolean(),
  ruleId: fc.constantFrom('rule_a', 'rule_a', 'rule_a', 'rule_b'),
  outcome: fc.constantFrom('succeeded', 'succeeded', 'succeeded', 'failed'),
});

/** Each conversation starts at one time, and a Rule finds the same in the same snapshot. */
const history = fc
  .record({
    told: fc.array(telling, { minLength: 1, maxLength: 20 }),
    earlier: fc.subarray([1, 2, 3, 4, 5, 6], { maxLength: 3 }),
    shownIn: fc.subarray(['1 3', '2 2', '2 3', '3 1', '4 2', '5 1'], { maxLength: 3 }),
  })
  .map(({ told, earlier, shownIn }) =>
    told.map((each) => ({
      ...each,
      isLater: !earlier.includes(each.conversation),
      shows: shownIn.includes(`${each.conversation} ${each.revision}`),
      offers: each.conversation !== 6,
    })),
  );

/** Outcome that a verification must have, computed conversation by conversation from what was told. */
function modelOf(told: readonly Told[]) {
  const latest = new Map<number, number>();
  const clean = new Set<number>();
  for (const { conversation, revision, isLater, shows, offers, ruleId, outcome } of told) {
    if (ruleId !== 'rule_a' || outcome !== 'succeeded' || revision < (latest.get(conversation) ?? 0)) continue;
    const isNew = revision > (latest.get(conversation) ?? 0);
    latest.set(conversation, revision);
    if (!isLater) continue;
    if (shows && isNew) return { resolutionStatus: 'regressed', counted: null };
    if (!shows && offers && clean.size < REQUIRED) clean.add(conversation);
  }
  const resolutionStatus = clean.size === REQUIRED ? 'resolved' : 'awaiting_verification';
  return { resolutionStatus, counted: clean.size };
}

describe('clean exposures', () => {
  it('verify a repair as a model does that looks at one conversation after the other', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 5 }), (told, size) => {
        let world = changed(found(LOOP), LOOP_ID, repaired);
        for (let at = 0; at < told.length; at += 1) world = take(world, told.slice(at, at + 1), FIXED_AT + 100 + at);
        const { resolutionStatus, verification } = headIn(world);
        const counted = verification?.cleanExposures ?? null;
        expect({ resolutionStatus, counted }).toEqual(modelOf(told));
        if (verification !== null)
          expect(verification.recurrenceBound).toBe(recurrenceBound(verification.cleanExposures));
        let grouped = changed(found(LOOP), LOOP_ID, repaired);
        for (let at = 0; at < told.length; at += size) {
          grouped = take(grouped, told.slice(at, at + size), FIXED_AT + 100 + at);
        }
        if (resolutionStatus === 'regressed') expect(headIn(grouped).resolutionStatus).toBe('regressed');
      }),
      RUNS,
    );
  });

  it('count each conversation once, however often its results come', () => {
    fc.assert(
      fc.property(fc.array(telling, { minLength: 1, maxLength: 10 }), (all) => {
        const told = all.map((each) => ({ ...each, shows: false }));
        const once = take(changed(found(LOOP), LOOP_ID, repaired), told, FIXED_AT + 100);
        const again = take(once, told, FIXED_AT + 200);
        expect(headIn(again)).toEqual(headIn(once));
        expect(once.counted.size).toBe(headIn(once).verification?.cleanExposures);
      }),
      RUNS,
    );
  });

  it('are never more than are required, and state the bound of that many', () => {
    const told = [1, 2, 3, 4, 5].map((conversation) => toldOf(conversation));
    const world = take(changed(found(LOOP), LOOP_ID, repaired), told, FIXED_AT + 100);
    expect(headIn(world)).toMatchObject({
      resolutionStatus: 'resolved',
      resolvedAt: FIXED_AT + 100,
      verification: { cleanExposures: REQUIRED, recurrenceBound: recurrenceBound(REQUIRED) },
    });
    expect(world.counted.size).toBe(REQUIRED);
  });

  it('that verified a repair are taken back where one of them shows the problem after all', () => {
    const told = [1, 2, 3].map((conversation) => toldOf(conversation));
    const resolved = take(changed(found(LOOP), LOOP_ID, repaired), told, FIXED_AT + 10_000);
    expect(headIn(resolved).resolutionStatus).toBe('resolved');
    const after = take(resolved, [{ ...toldOf(2), revision: 2, shows: true }], FIXED_AT + 20_000);
    expect(headIn(after)).toMatchObject({ resolutionStatus: 'regressed', verification: null });
    const late = take(resolved, [{ ...toldOf(4), isLater: false, shows: true }], FIXED_AT + 20_000);
    expect(headIn(late).resolutionStatus).toBe('resolved');
  });

  it('of a part of a conversation are none', () => {
    const { results } = resultMessageOf(
      resultOf({
        conversationId: 'part',
        snapshot: { scope: 'traces', startedAt: FIXED_AT + 1, offered: { agents: [], tools: ['pay'] } },
        found: { rule_a: [] },
      }),
    );
    const { state } = changed(found(LOOP), LOOP_ID, repaired);
    expect(cleanExposures(settled(state, applyResults(state, results, 1), 1), results)).toEqual([]);
  });
});

describe('clean exposures of merged Findings', () => {
  const OTHER_ID = idOf(OTHER);
  const grouped = (world: World, change: Parameters<typeof regrouped>[1]) => ({
    ...world,
    state: regrouped(world.state, change),
  });

  it('begin anew with every merge and its undoing, since the Finding consists of something else', () => {
    const awaiting = changed(found(LOOP, OTHER), LOOP_ID, repaired);
    const once = take(awaiting, [toldOf(1)], FIXED_AT + 50);
    const nowMs = FIXED_AT + 100;
    const together = grouped(once, merged(headOfState(once.state), { findingId: OTHER_ID, into: LOOP_ID }, nowMs));
    expect(headIn(together).verification).toMatchObject({ cleanExposures: 0, since: nowMs, recurrenceBound: 1 });
    const apart = grouped(together, unmerged(headOfState(together.state), OTHER_ID, nowMs + 1));
    expect(headIn(apart).verification).toMatchObject({ cleanExposures: 0, since: nowMs + 1 });
  });

  it('offer the situation of one of them, and show none', () => {
    const both = found(LOOP, OTHER);
    const together = grouped(both, merged(headOfState(both.state), { findingId: OTHER_ID, into: LOOP_ID }, FIXED_AT));
    const awaiting = changed(together, LOOP_ID, repaired);
    const told = (conversationId: string, agent: string, detections: (typeof LOOP)[]) =>
      resultMessageOf(
        resultOf({
          conversationId,
          snapshot: { startedAt: FIXED_AT + 1, offered: { agents: [agent], tools: [] } },
          found: { rule_a: detections },
        }),
      ).results;
    const exposuresOf = (results: ReturnType<typeof told>) =>
      cleanExposures(settled(awaiting.state, applyResults(awaiting.state, results, 1), 1), results);
    expect(exposuresOf(told('one', 'desk', []))).toMatchObject([{ findingId: LOOP_ID, conversationId: 'one' }]);
    expect(exposuresOf(told('two', 'clerk', []))).toEqual([]);
    expect(exposuresOf(told('three', 'desk', [OTHER]))).toEqual([]);
  });
});

describe('clean exposures of a split Finding', () => {
  const SPLIT_ID = `fnd_${'S'.repeat(26)}`;
  const withSplit = (split: { signal?: string; conversationIds?: string[] }): World => {
    const world = found(LOOP);
    const { head } = world.state.findings.get(LOOP_ID)!;
    const part = repaired({ ...head, id: SPLIT_ID, splitFrom: LOOP_ID });
    const findings = new Map(world.state.findings)
      .set(LOOP_ID, { head: { ...head, splits: [{ findingId: SPLIT_ID, ...split }] } })
      .set(SPLIT_ID, { head: part });
    return { ...world, state: { ...world.state, findings } };
  };

  it('are those in which its signal could have fired', () => {
    expect(headIn(take(withSplit({ signal: 'signal' }), [toldOf(1)], FIXED_AT + 100), SPLIT_ID)).toMatchObject({
      verification: { cleanExposures: 1 },
    });
  });

  it('are none where it consists of named conversations, since no other can show it', () => {
    expect(
      headIn(take(withSplit({ conversationIds: ['first'] }), [toldOf(1)], FIXED_AT + 100), SPLIT_ID),
    ).toMatchObject({ verification: { cleanExposures: 0 } });
  });
});

function toldOf(conversation: number): Told {
  return {
    ...{ conversation, revision: 1, isLater: true, shows: false, offers: true },
    ...{ ruleId: 'rule_a', outcome: 'succeeded' },
  };
}
