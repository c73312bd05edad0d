import { describe, expect, it } from '@jest/globals';
import { REVIEW_STATUSES } from '@clew/contracts';
import { UNRESOLVED } from '../resolution/resolution.ts';
import type { WorkItemView } from '../work-item-view.ts';
import { reviewed, type ReviewState } from './review.ts';

const STATE: ReviewState = { reviewStatus: 'unreviewed', reviewedAt: null, ...UNRESOLVED };
const RESOLVED: ReviewState = { ...STATE, resolutionStatus: 'resolved', resolvedAt: 5, regressedAt: 4 };
const move = (to: ReviewState['reviewStatus'], workItem: WorkItemView | null = null) => ({ to, workItem, nowMs: 9 });

describe('the review of a Finding', () => {
  it.each(REVIEW_STATUSES.flatMap((from) => REVIEW_STATUSES.map((to) => [from, to] as const)))(
    'goes from %s to %s',
    (from, to) => {
      expect(reviewed({ ...STATE, reviewStatus: from }, move(to)).reviewStatus).toBe(to);
    },
  );

  it('knows when it was reviewed, and forgets it when it is not any more', () => {
    const confirmed = reviewed(STATE, move('confirmed'));
    expect(confirmed.reviewedAt).toBe(9);
    expect(reviewed(confirmed, move('unreviewed')).reviewedAt).toBeNull();
  });

  it.each(['confirmed', 'unreviewed'] as const)('leaves the resolution as it is when it becomes %s', (to) => {
    expect(reviewed({ ...RESOLVED, reviewStatus: 'dismissed' }, move(to))).toMatchObject({
      ...{ resolutionStatus: 'resolved', resolvedAt: 5, regressedAt: 4 },
    });
  });

  it.each(['resolved', 'regressed', 'awaiting_verification'] as const)(
    'clears the resolution of a %s Finding that is dismissed',
    (resolutionStatus) => {
      expect(reviewed({ ...RESOLVED, resolutionStatus }, move('dismissed'))).toEqual({
        ...{ reviewStatus: 'dismissed', reviewedAt: 9, ...UNRESOLVED },
      });
    },
  );

  it.each(['provisioning', 'planned', 'in_progress'] as const)(
    'is not dismissed while a work item is %s: 409 ACTIVE_WORK_ITEM',
    (status) => {
      const refused = expect.objectContaining({ code: 'ACTIVE_WORK_ITEM', status: 409 });
      expect(() => reviewed(STATE, move('dismissed', { status }))).toThrow(refused);
      expect(reviewed(STATE, move('confirmed', { status })).reviewStatus).toBe('confirmed');
    },
  );

  it('is dismissed when its work item is done', () => {
    expect(reviewed(STATE, move('dismissed', { status: 'done' })).reviewStatus).toBe('dismissed');
  });

  it('gives back the same object where nothing changes', () => {
    expect(reviewed(STATE, move('unreviewed'))).toBe(STATE);
  });
});
