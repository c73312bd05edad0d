import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IssueReading, PresentState } from '@clew/issue-trackers';
import { AppError } from '@clew/kernel';
import { changeFinding } from '../findings/changes/index.ts';
import { withOccurrence, type FindingHead } from '../findings/finding.ts';
import { occurrenceOf } from '../findings/occurrence.ts';
import { detectionOf, PROJECT_ID, snapshotOf } from '../test-support/results.ts';
import { handedOver, readFor, requireFree, requireReplaceable, withoutRepair, withProgress } from './repair.ts';
import {
  abandoned,
  failed,
  linked,
  lost,
  newWorkItem,
  notSent,
  replaced,
  requireCurrent,
  retried,
  sending,
  waiting,
  workItemView,
  type StoredWorkItem,
} from './work-item.ts';

/** Number of random histories; the long test tier asks for more. */
const numRuns = Number(process.env['CLEW_PROPERTY_RUNS'] ?? 500);

type Step =
  | { do: 'create' }
  | { do: 'replace' | 'abandon' | 'retry' | 'send'; item: number }
  | { do: 'answer'; item: number; outcome: 'done' | 'refused' | 'later' | 'unknown' | 'lost' }
  | { do: 'read'; item: number; state: PresentState | 'gone'; agoMs: number }
  | { do: 'review'; to: 'confirmed' | 'dismissed' | 'unreviewed' }
  | { do: 'resolve'; to: 'resolved' | 'unresolved' }
  | { do: 'show' };

const item = fc.nat(3);
const state = fc.constantFrom<PresentState>(
  ...[{ kind: 'open' as const }, { kind: 'in_progress' as const }],
  ...(['completed', 'not_planned', 'cancelled', 'duplicate'] as const).map((reason) => ({
    kind: 'done' as const,
    reason,
  })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'create' }) },
  fc.record({ do: fc.constantFrom('replace' as const, 'abandon' as const, 'retry' as const), item }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), item }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      item,
      outcome: fc.constantFrom(
        'done' as const,
        'refused' as const,
        'later' as const,
        'unknown' as const,
        'lost' as const,
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      item,
      state: fc.oneof({ weight: 5, arbitrary: state }, { weight: 1, arbitrary: fc.constant('gone' as const) }),
      agoMs: fc.integer({ min: 0, max: 30 }),
    }),
  },
  fc.record({
    do: fc.constant('review' as const),
    to: fc.constantFrom('confirmed' as const, 'dismissed' as const, 'unreviewed' as const),
  }),
  fc.record({ do: fc.constant('resolve' as const), to: fc.constantFrom('resolved' as const, 'unresolved' as const) }),
  fc.constant<Step>({ do: 'show' }),
);

interface World {
  finding: FindingHead;
  items: StoredWorkItem[];
  /** Issues at the provider, by work item. */
  issues: Map<string, number>;
}

const WISH = {
  provider: 'github',
  connectorId: 'con_1',
  destination: { owner: 'a', repo: 'b' },
  existing: null,
} as const;
const ACTOR = { kind: 'user', id: 'usr_1' } as const;

function occurrence(conversationId: string, startedAt: number) {
  const snapshot = snapshotOf(PROJECT_ID, conversationId, { startedAt });
  return occurrenceOf({ projectId: PROJECT_ID, conversationId }, 'rule_a', snapshot, detectionOf('loop'), startedAt);
}

/** World after a new work item, in place of another one if there is one. */
function withNew(world: World, nowMs: number, before?: StoredWorkItem): World {
  const made = newWorkItem({ projectId: PROJECT_ID, findingId: world.finding.id }, WISH, nowMs);
  const finding = { ...handedOver(world.finding, nowMs), workItem: workItemView(made) };
  const others = world.items.map((other) => (other === before ? replaced(other, made.id, nowMs) : other));
  return { ...world, finding, items: [...others, made] };
}

function withMoved(world: World, before: StoredWorkItem, after: StoredWorkItem, nowMs: number): World {
  const items = world.items.map((other) => (other === before ? after : other));
  if (!after.isPrimary) return { ...world, items };
  const moved = withProgress(world.finding, { before, after, requiredExposures: 2, nowMs });
  return { ...world, items, finding: { ...moved, workItem: workItemView(after) } };
}

function linkOf({ id }: StoredWorkItem) {
  return { externalId: `issue of ${id}`, key: 'a/b#1', url: 'https://example.test/1' };
}

/** World after a step. Throws an AppError for what the tables refuse. */
function applied(world: World, taken: Step, nowMs: number): World {
  switch (taken.do) {
    case 'create':
      requireFree(world.finding);
      return withNew(world, nowMs);
    case 'review':
    case 'resolve': {
      const change = taken.do === 'review' ? { reviewStatus: taken.to } : { resolutionStatus: taken.to };
      const workItem = world.finding.workItem ?? null;
      return { ...world, finding: changeFinding(world.finding, change, { workItem, actor: ACTOR, nowMs }).head };
    }
    case 'show':
      return { ...world, finding: withOccurrence({ head: world.finding }, occurrence(`c${nowMs}`, nowMs)).head };
    default: {
      const before = world.items[taken.item];
      return before === undefined ? world : ofItem(world, before, taken, nowMs);
    }
  }
}

function ofItem(world: World, before: StoredWorkItem, taken: Extract<Step, { item: number }>, nowMs: number): World {
  switch (taken.do) {
    case 'replace':
      requireReplaceable(world.finding, before);
      return withNew(world, nowMs, before);
    case 'abandon': {
      const after = abandoned(before, nowMs);
      const finding = { ...withoutRepair(world.finding, nowMs), workItem: null };
      return { ...withMoved(world, before, after, nowMs), finding };
    }
    case 'retry':
      return withMoved(world, before, retried(before, nowMs), nowMs);
    case 'send':
      // A creation is sent by a current work item without an issue, of which none may exist.
      if (!before.isPrimary || before.externalId !== null || before.sentSince !== null) return world;
      return withMoved(world, before, sending(before, nowMs), nowMs);
    case 'answer':
      return before.sentSince === null ? world : answered(world, before, taken.outcome, nowMs);
    case 'read': {
      if (before.externalId === null) return world;
      requireCurrent(before);
      const { item: after } = readFor(world.finding, before, readingOf(before, taken, nowMs), nowMs);
      return withMoved(world, before, after, nowMs);
    }
  }
}

function readingOf(before: StoredWorkItem, { state, agoMs }: Extract<Step, { do: 'read' }>, nowMs: number) {
  const at = { externalId: before.externalId ?? '', key: 'a/b#1', url: 'https://example.test/1' };
  const reading: IssueReading =
    state === 'gone'
      ? { kind: 'gone', externalId: at.externalId, reason: 'deleted' }
      : { kind: 'present', issue: { ...at, title: '', state, updatedAtMs: nowMs - agoMs } };
  return { reading, readAtMs: nowMs - agoMs };
}

function answered(world: World, before: StoredWorkItem, outcome: string, nowMs: number): World {
  const moved = (after: StoredWorkItem) => withMoved(world, before, after, nowMs);
  switch (outcome) {
    case 'done': {
      const issues = new Map(world.issues).set(before.id, (world.issues.get(before.id) ?? 0) + 1);
      return { ...moved(linked(before, linkOf(before), nowMs)), issues };
    }
    case 'lost':
      return moved(lost(before, linkOf(before).externalId, nowMs));
    case 'refused':
      return moved(failed(notSent(before), 'refused', nowMs));
    case 'later':
      return moved(waiting(notSent(before), 'later'));
    default:
      return moved(waiting(before, 'unknown'));
  }
}

function expectAllowed({ finding, items, issues }: World): void {
  const current = items.filter(({ isPrimary }) => isPrimary);
  expect(current.length).toBeLessThanOrEqual(1);
  expect(finding.workItem ?? null).toEqual(current[0] === undefined ? null : workItemView(current[0]));
  const isActive = current.some(({ status }) => status !== 'done');
  if (isActive) {
    expect(finding.reviewStatus).not.toBe('dismissed');
    expect(['resolved', 'awaiting_verification']).not.toContain(finding.resolutionStatus);
  }
  for (const each of items) {
    expect(each.status === 'provisioning').toBe(each.externalId === null);
    expect(each.doneReason !== null).toBe(each.status === 'done');
    expect(each.isPrimary).toBe(each.ended === null);
    expect(each.replacedBy !== null).toBe(each.ended === 'replaced');
    if (each.syncState === 'error') expect(each.syncError).not.toBeNull();
    if (each.syncState === 'synced') expect([each.syncError, each.externalId === null]).toEqual([null, false]);
    if (each.syncState === 'pending') expect(each.status).toBe('provisioning');
    expect(issues.get(each.id) ?? 0).toBeLessThanOrEqual(1);
  }
}

function expectMoves(before: World, after: World): void {
  for (const [index, was] of before.items.entries()) {
    const is = after.items[index];
    if (is === undefined) throw new Error('A work item is gone');
    if (was.status !== 'provisioning') expect(is.status).not.toBe('provisioning');
    if (!was.isPrimary) expect({ ...is, isPrimary: false }).toMatchObject({ ended: was.ended, isPrimary: false });
    if (workItemView(was).syncState !== is.syncState) expect(is.sequence).toBeGreaterThan(was.sequence);
  }
}

describe('random histories of a Finding and its work items', () => {
  it('reach no state that the tables forbid, and never two issues of one work item', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let world: World = {
          finding: withOccurrence(undefined, occurrence('first', 1)).head,
          ...{ items: [], issues: new Map() },
        };
        steps.forEach((taken, index) => {
          const before = world;
          try {
            world = applied(world, taken, 1_000 + 10 * index);
          } catch (error) {
            // A refused step must have changed nothing.
            expect(error).toBeInstanceOf(AppError);
          }
          expectAllowed(world);
          expectMoves(before, world);
        });
      }),
      { numRuns },
    );
  });

  it('refuse every action on a work item that was replaced or abandoned, and only those tries that cannot help', () => {
    const fresh = newWorkItem({ projectId: PROJECT_ID, findingId: 'fnd_1' }, WISH, 1);
    const NOT_CURRENT = expect.objectContaining({ code: 'WORK_ITEM_NOT_CURRENT', status: 409 });
    for (const ended of [abandoned(fresh, 2), replaced(fresh, 'wi_2', 2)]) {
      for (const act of [abandoned, retried, (each: StoredWorkItem) => replaced(each, 'wi_3', 3)]) {
        expect(() => act(ended, 3)).toThrow(NOT_CURRENT);
      }
    }
    const NOT_RETRYABLE = expect.objectContaining({ code: 'WORK_ITEM_NOT_RETRYABLE', status: 409 });
    const planned = linked(fresh, linkOf(fresh), 2);
    for (const item of [fresh, planned, failed(planned, 'gone', 3)]) {
      expect(() => retried(item, 3)).toThrow(NOT_RETRYABLE);
    }
    expect(retried(failed(fresh, 'refused', 2), 3)).toMatchObject({
      ...{ status: 'provisioning', syncState: 'pending', syncError: null, tries: 0 },
    });
  });

  it('ignore what was read before that which is known', () => {
    const planned = linked(
      newWorkItem({ projectId: PROJECT_ID, findingId: 'fnd_1' }, WISH, 1),
      linkOf({ id: 'x' } as never),
      2,
    );
    const { finding } = { finding: withOccurrence(undefined, occurrence('first', 1)).head };
    const done = readFor(
      finding,
      planned,
      readingOf(planned, { do: 'read', item: 0, state: { kind: 'done', reason: 'completed' }, agoMs: 0 }, 100),
      100,
    );
    expect(done).toMatchObject({ outcome: 'updated', item: { status: 'done' } });
    const late = readFor(
      finding,
      done.item,
      readingOf(planned, { do: 'read', item: 0, state: { kind: 'open' }, agoMs: 20 }, 110),
      110,
    );
    expect(late).toEqual({ outcome: 'unchanged', item: done.item });
  });
});
