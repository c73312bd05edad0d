import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  changed,
  inverseOf,
  snoozeOfChoice,
  summaryOf,
  verbOf,
  type Changeable,
  type FindingChange,
} from './changes.ts';

const NOW = 1_800_000_000_000;
const finding = (id: string, rest: Partial<Changeable> = {}): Changeable => ({
  id,
  reviewStatus: 'unreviewed',
  resolutionStatus: 'unresolved',
  assignee: null,
  snooze: null,
  ...rest,
});

const findings = fc.uniqueArray(
  fc.record<Changeable>({
    id: fc.string({ minLength: 1 }),
    reviewStatus: fc.constantFrom('unreviewed', 'confirmed', 'dismissed'),
    resolutionStatus: fc.constantFrom('unresolved', 'resolved'),
    assignee: fc.constantFrom(null, 'usr_1', 'usr_2'),
    snooze: fc.constantFrom(null, { since: NOW, until: NOW + 5, furtherOccurrences: null }),
  }),
  { selector: ({ id }) => id },
);
const changes = fc.constantFrom<FindingChange>(
  { reviewStatus: 'confirmed' },
  { resolutionStatus: 'resolved' },
  { assignee: 'usr_3' },
  { snooze: { furtherOccurrences: 3 } },
  { snooze: null },
);

describe('undoing a change', () => {
  it('gives every Finding back what it had', () => {
    fc.assert(
      fc.property(findings, changes, (before, change) => {
        const after = new Map(before.map((each) => [each.id, changed(each, change, NOW)]));
        for (const step of inverseOf(before, change) ?? []) {
          for (const id of step.findingIds) {
            const current = after.get(id);
            if (current !== undefined) after.set(id, changed(current, step.change, NOW));
          }
        }
        expect([...after.values()]).toEqual(before);
      }),
    );
  });

  it('is one step for Findings that were alike', () => {
    const before = [finding('a'), finding('b'), finding('c', { reviewStatus: 'confirmed' })];
    expect(inverseOf(before, { reviewStatus: 'dismissed' })).toEqual([
      { findingIds: ['a', 'b'], change: { reviewStatus: 'unreviewed' } },
      { findingIds: ['c'], change: { reviewStatus: 'confirmed' } },
    ]);
  });

  it('is not offered for a state that nobody can set', () => {
    expect(
      inverseOf([finding('a', { resolutionStatus: 'regressed' })], { resolutionStatus: 'resolved' }),
    ).toBeUndefined();
  });
});

it('sums up what became of each Finding', () => {
  const outcomes = [
    { findingId: 'a', outcome: 'updated' as const },
    { findingId: 'b', outcome: 'updated' as const },
    { findingId: 'c', outcome: 'refused' as const },
  ];
  expect(summaryOf(outcomes, { reviewStatus: 'dismissed' })).toBe('2 dismissed, 1 refused');
  expect(summaryOf([], {})).toBe('Nothing changed');
  expect(verbOf({ assignee: null })).toBe('assigned to nobody');
});

it('puts off by time or by conversations', () => {
  expect(snoozeOfChoice('day', NOW)).toEqual({ until: NOW + 86_400_000 });
  expect(snoozeOfChoice('ten', NOW)).toEqual({ furtherOccurrences: 10 });
  expect(snoozeOfChoice('wake', NOW)).toBeNull();
});
