import { describe, expect, it } from '@jest/globals';
import { recurrenceBound } from './recurrence-bound.ts';
import { awaitingVerification, moved, notShown, shownAgain, UNRESOLVED, type ResolutionState } from './resolution.ts';

const RESOLVED: ResolutionState = { ...UNRESOLVED, resolutionStatus: 'resolved', resolvedAt: 100 };
const AWAITING = awaitingVerification(UNRESOLVED, { requiredExposures: 2, nowMs: 100 });
const to = (status: 'resolved' | 'unresolved') => ({ to: status, workItem: null, nowMs: 500 });

describe('the resolution of a Finding by people', () => {
  it('knows since when it holds', () => {
    expect(moved(UNRESOLVED, to('resolved'))).toMatchObject({ resolutionStatus: 'resolved', resolvedAt: 500 });
  });

  it('stays the same resolution where it is said again', () => {
    expect(moved(RESOLVED, to('resolved'))).toBe(RESOLVED);
  });

  it('is cleared by unresolved', () => {
    expect(moved({ ...RESOLVED, regressedAt: 50 }, to('unresolved'))).toEqual(UNRESOLVED);
  });

  it.each(['provisioning', 'planned', 'in_progress'] as const)(
    'is refused while the work item is %s: 409 WORK_ITEM_NOT_DONE',
    (status) => {
      const refused = expect.objectContaining({ code: 'WORK_ITEM_NOT_DONE', status: 409 });
      expect(() => moved(UNRESOLVED, { ...to('resolved'), workItem: { status } })).toThrow(refused);
      expect(moved(RESOLVED, { ...to('unresolved'), workItem: { status } })).toEqual(UNRESOLVED);
    },
  );

  it('holds once the work item is done', () => {
    expect(moved(UNRESOLVED, { ...to('resolved'), workItem: { status: 'done' } }).resolutionStatus).toBe('resolved');
  });
});

describe('a regression', () => {
  it('comes from a conversation that started after the resolution, and from no earlier one', () => {
    expect(shownAgain(RESOLVED, 100, 700)).toBe(RESOLVED);
    expect(shownAgain(RESOLVED, 101, 700)).toMatchObject({ resolutionStatus: 'regressed', regressedAt: 700 });
  });

  it('comes once a resolution', () => {
    const regressed = shownAgain(RESOLVED, 101, 700);
    expect(shownAgain(regressed, 800, 900)).toBe(regressed);
    const resolvedAgain = moved(regressed, { ...to('resolved'), nowMs: 1_000 });
    expect(shownAgain(resolvedAgain, 800, 1_100)).toBe(resolvedAgain);
    expect(shownAgain(resolvedAgain, 1_001, 1_200)).toMatchObject({ regressedAt: 1_200 });
  });

  it('never comes where nothing was resolved', () => {
    expect(shownAgain(UNRESOLVED, 900, 900)).toBe(UNRESOLVED);
  });
});

describe('verification', () => {
  it('resolves the Finding after enough conversations that could have shown it, and started after the repair', () => {
    const once = notShown(AWAITING, 101, 200);
    expect(once).toMatchObject({ resolutionStatus: 'awaiting_verification', verification: { cleanExposures: 1 } });
    expect(notShown(once, 100, 300)).toBe(once);
    const verified = notShown(once, 102, 400);
    expect(verified).toMatchObject({
      resolutionStatus: 'resolved',
      resolvedAt: 400,
      verification: { cleanExposures: 2 },
    });
  });

  it('ends in a regression when one of them shows it', () => {
    expect(shownAgain(AWAITING, 100, 300)).toBe(AWAITING);
    expect(shownAgain(AWAITING, 101, 300)).toMatchObject({
      ...{ resolutionStatus: 'regressed', regressedAt: 300, verification: null },
    });
  });

  it('begins anew after a regression, and not for what is resolved', () => {
    const again = awaitingVerification(shownAgain(AWAITING, 101, 300), { requiredExposures: 2, nowMs: 400 });
    expect(again).toMatchObject({ resolutionStatus: 'awaiting_verification', verification: { since: 400 } });
    expect(awaitingVerification(RESOLVED, { requiredExposures: 2, nowMs: 400 })).toBe(RESOLVED);
  });

  it('states how often the problem may still occur: three in the number of exposures, once there are many', () => {
    expect([0, 1, 3, 10, 30].map((count) => Number(recurrenceBound(count).toFixed(3)))).toEqual([
      1, 0.95, 0.632, 0.259, 0.095,
    ]);
    expect(recurrenceBound(10_000)).toBeCloseTo(3 / 10_000, 5);
    expect(notShown(AWAITING, 101, 200).verification?.recurrenceBound).toBe(recurrenceBound(1));
  });
});
