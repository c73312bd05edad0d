import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterLater, isAnswered, MAX_FAILURES, triedAgainAt } from './put-back.ts';

const DAY_MS = 24 * 3_600_000;
const later = fc.record({
  retryAfterMs: fc.option(fc.nat({ max: 10 * DAY_MS })),
  isBudget: fc.boolean(),
  isUntried: fc.boolean(),
});
const nowMs = fc.integer({ min: 1, max: 2_000_000_000_000 });

describe('work that is put off', () => {
  it('comes to an end: with every failure it is asked later, and after so many no more', () => {
    fc.assert(
      fc.property(nowMs, (now) => {
        let row = { failures: 0 };
        let asked = 0;
        for (;;) {
          const next = afterLater(row, { retryAfterMs: null, isBudget: false }, now);
          if (next === undefined) break;
          expect(next.failures).toBe(row.failures + 1);
          expect(next.dueAt).toBeGreaterThan(now);
          row = next;
          asked += 1;
        }
        expect(asked).toBe(MAX_FAILURES);
      }),
    );
  });

  it('is never asked for sooner than it was told to wait', () => {
    fc.assert(
      fc.property(later, nowMs, fc.nat({ max: MAX_FAILURES - 1 }), (answer, now, failures) => {
        const next = afterLater({ failures }, answer, now);
        expect(next!.dueAt).toBeGreaterThanOrEqual(now + (answer.retryAfterMs ?? 0));
      }),
    );
  });

  it('counts no failure for a day without budget, nor for a call that was never made', () => {
    fc.assert(
      fc.property(later, nowMs, fc.nat({ max: MAX_FAILURES }), (answer, now, failures) => {
        fc.pre(answer.isBudget || answer.isUntried);
        expect(afterLater({ failures }, answer, now)).toMatchObject({ failures });
      }),
    );
  });

  it('waits for the next day (UTC) where the day has no budget left, and nobody says when it has', () => {
    const noon = 1_780_000_000_000 - (1_780_000_000_000 % DAY_MS) + DAY_MS / 2;
    expect(afterLater({ failures: 0 }, { retryAfterMs: null, isBudget: true }, noon)).toEqual({
      ...{ dueAt: noon + DAY_MS / 2, failures: 0 },
    });
  });

  it('waits for at least as long as it was told to, and for longer with every failure', () => {
    expect(triedAgainAt(0, 1, 3_600_000)).toBe(3_600_000);
    const waits = [1, 2, 3, 4].map((failures) => triedAgainAt(0, failures));
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  });
});

it('only an answer to the round that is under way counts', () => {
  const row = { state: 'asked', rounds: 2, failures: 0 };
  expect([1, 2, 3].map((round) => isAnswered(row, round))).toEqual([false, true, false]);
  expect(isAnswered({ ...row, state: 'due' }, 2)).toBe(false);
  expect(isAnswered(undefined, 1)).toBe(false);
});
