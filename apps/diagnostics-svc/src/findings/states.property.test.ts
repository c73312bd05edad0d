import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FindingChange } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { detectionOf, PROJECT_ID, snapshotOf } from '../test-support/results.ts';
import { changeFinding, withNewState } from './changes/index.ts';
import { withOccurrence, withoutOccurrence, withRenewedOccurrence, type FindingHead } from './finding.ts';
import { occurrenceOf, type Occurrence } from './occurrence.ts';
import { awaitingVerification, notShown } from './resolution/resolution.ts';
import type { WorkItemView } from './work-item-view.ts';

/** Number of random histories; the long test tier asks for more. */
const numRuns = Number(process.env['CLEW_PROPERTY_RUNS'] ?? 500);

type Operation =
  | { do: 'change'; change: FindingChange; workItem: WorkItemView | null }
  | { do: 'show'; conversation: number; startedAgoMs: number }
  | { do: 'withdraw'; conversation: number }
  | { do: 'await' }
  | { do: 'expose'; startedAgoMs: number };

const workItem = fc.constantFrom<WorkItemView | null>(null, null, { status: 'planned' }, { status: 'done' });
const change = fc.oneof(
  fc.constantFrom('unreviewed', 'confirmed', 'dismissed').map((reviewStatus) => ({ reviewStatus })),
  fc.constantFrom('resolved', 'unresolved').map((resolutionStatus) => ({ resolutionStatus })),
  fc.constantFrom(null, 'ann', 'bob').map((assignee) => ({ assignee })),
  fc.constantFrom(null, { furtherOccurrences: 2 }).map((snooze) => ({ snooze })),
) as fc.Arbitrary<FindingChange>;
const startedAgoMs = fc.integer({ min: 0, max: 60 });
const conversation = fc.integer({ min: 0, max: 5 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), change, workItem }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('show' as const), conversation, startedAgoMs }) },
  fc.record({ do: fc.constant('withdraw' as const), conversation }),
  fc.record({ do: fc.constant('await' as const) }),
  fc.record({ do: fc.constant('expose' as const), startedAgoMs }),
);

function occurrence(conversation: number, startedAt: number, nowMs: number): Occurrence {
  const conversationId = `conversation-${conversation}`;
  const snapshot = snapshotOf(PROJECT_ID, conversationId, { startedAt });
  return occurrenceOf({ projectId: PROJECT_ID, conversationId }, 'rule_a', snapshot, detectionOf('loop'), nowMs);
}

interface World {
  head: FindingHead;
  shown: Map<number, Occurrence>;
  regressionsOfResolution: number;
}

function applied(world: World, step: Operation, nowMs: number): FindingHead {
  const { head, shown } = world;
  if (step.do === 'change') {
    const context = { workItem: step.workItem, actor: { kind: 'user', id: 'usr_1' } as const, nowMs };
    return changeFinding(head, step.change, context).head;
  }
  if (step.do === 'await') {
    return withNewState(head, awaitingVerification(head, { requiredExposures: 2, nowMs }), nowMs);
  }
  if (step.do === 'expose') return withNewState(head, notShown(head, nowMs - step.startedAgoMs, nowMs), nowMs);
  const known = shown.get(step.conversation);
  if (step.do === 'withdraw') {
    if (known === undefined) return head;
    shown.delete(step.conversation);
    return withoutOccurrence({ head }, known, nowMs).head;
  }
  const seen = occurrence(step.conversation, nowMs - step.startedAgoMs, nowMs);
  shown.set(step.conversation, seen);
  return (known === undefined ? withOccurrence({ head }, seen) : withRenewedOccurrence({ head }, seen)).head;
}

/** Expects a move that the specification's table and the design allow. */
function expectAllowed(before: FindingHead, after: FindingHead, step: Operation, world: World): void {
  const { resolutionStatus, resolvedAt, regressedAt, reviewStatus, reviewedAt, verification } = after;
  expect(reviewedAt === null).toBe(reviewStatus === 'unreviewed');
  if (resolutionStatus === 'unresolved') expect([resolvedAt, regressedAt, verification]).toEqual([null, null, null]);
  if (resolutionStatus === 'resolved') expect(resolvedAt).not.toBeNull();
  if (resolutionStatus === 'regressed') expect(regressedAt).not.toBeNull();
  if (resolutionStatus === 'awaiting_verification') expect(verification).not.toBeNull();
  expect(after.occurrenceCount).toBe(world.shown.size);
  expect(after.listed).toBe(world.shown.size > 0 || reviewStatus !== 'unreviewed' || resolutionStatus !== 'unresolved');
  if (before !== after) expect(after.sequence).toBeGreaterThan(before.sequence);
  expectMoves(before, after, step);
}

function expectMoves(before: FindingHead, after: FindingHead, step: Operation): void {
  // Only people change a review. Only they change a resolution, except that conversations may end it.
  if (step.do !== 'change') expect(after.reviewStatus).toBe(before.reviewStatus);
  if (before.resolutionStatus === after.resolutionStatus) return;
  if (step.do === 'withdraw') throw new Error('A withdrawal moved the resolution');
  if (after.resolutionStatus === 'regressed') {
    expect(step.do).toBe('show');
    expect(['resolved', 'awaiting_verification']).toContain(before.resolutionStatus);
  }
  if (step.do === 'change') {
    const { reviewStatus, resolutionStatus } = step.change;
    expect(reviewStatus === 'dismissed' || resolutionStatus === after.resolutionStatus).toBe(true);
    if (resolutionStatus === 'resolved') expect(step.workItem?.status ?? 'done').toBe('done');
  }
}

describe('random histories of a Finding', () => {
  it('reach no state that the table forbids, and regress at most once a resolution', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (steps) => {
        const first = occurrence(0, 990, 1_000);
        const world: World = {
          head: withOccurrence(undefined, first).head,
          shown: new Map([[0, first]]),
          regressionsOfResolution: 0,
        };
        steps.forEach((step, index) => {
          const before = world.head;
          const nowMs = 1_000 + 10 * (index + 1);
          try {
            world.head = applied(world, step, nowMs);
          } catch (error) {
            // A refused change must have changed nothing.
            expect(error).toBeInstanceOf(AppError);
            expect(step).toMatchObject({ do: 'change', workItem: { status: 'planned' } });
          }
          expectAllowed(before, world.head, step, world);
          if (world.head.resolutionStatus === 'regressed' && before.resolutionStatus !== 'regressed') {
            world.regressionsOfResolution += 1;
          }
          if (['resolved', 'awaiting_verification'].includes(world.head.resolutionStatus)) {
            world.regressionsOfResolution = 0;
          }
          expect(world.regressionsOfResolution).toBeLessThanOrEqual(1);
        });
      }),
      { numRuns },
    );
  });

  it('end with the same count and at most one regression in whatever order, and however often, conversations show it', () => {
    const shown = fc.uniqueArray(
      fc.record({ conversation: fc.integer({ min: 1, max: 9 }), startedAt: fc.integer({ min: 900, max: 1_100 }) }),
      { selector: ({ conversation }) => conversation },
    );
    const orders = shown.chain((all) =>
      fc.tuple(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.shuffledSubarray(all, { minLength: all.length }),
      ),
    );
    fc.assert(
      fc.property(orders, ([one, other]) => {
        const outcomes = [one, [...other, ...one]].map((order) => {
          const first = withOccurrence(undefined, occurrence(0, 1, 1)).head;
          const seen = new Set<number>();
          const resolved: FindingHead = { ...first, resolutionStatus: 'resolved', resolvedAt: 1_000 };
          let [head, regressions] = [resolved, 0];
          for (const { conversation, startedAt } of order) {
            const before = head;
            const next = occurrence(conversation, startedAt, 2_000);
            head = (seen.has(conversation) ? withRenewedOccurrence({ head }, next) : withOccurrence({ head }, next))
              .head;
            seen.add(conversation);
            if (before.resolutionStatus !== head.resolutionStatus) regressions += 1;
          }
          return { count: head.occurrenceCount, status: head.resolutionStatus, regressions, primary: head.primary?.id };
        });
        expect(outcomes[1]).toEqual(outcomes[0]);
        const isNew = one.some(({ startedAt }) => startedAt > 1_000);
        expect(outcomes[0]).toMatchObject({ count: one.length + 1, regressions: isNew ? 1 : 0 });
      }),
      { numRuns },
    );
  });
});
