import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from './app-error.ts';
import { createSharedBudget, type Holding, type SharedBudget } from './shared-budget.ts';

const RETRY_AFTER_MS = 1_000;

function budgetOf(maxUnits: number, more: { nowMs?: () => number; otherUnits?: () => number } = {}): SharedBudget {
  return createSharedBudget({
    ...{ maxUnits, retryAfterMs: RETRY_AFTER_MS, shareMessage: 'share', wholeMessage: 'whole', ...more },
  });
}

/** Returns the answer of the budget to a request for units: `ok`, or the code of its error. */
function asked(holding: Holding, units: number): string {
  try {
    holding.hold(units);
    return 'ok';
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).headers).toEqual({ 'retry-after': '1' });
    return (error as AppError).code;
  }
}

/** Takes one unit after the other until it is refused. */
function takeAll(budget: SharedBudget, key: string): { holdings: Holding[]; refusedWith: string } {
  const holdings: Holding[] = [];
  for (;;) {
    const holding = budget.open(key);
    const answer = asked(holding, 1);
    if (answer !== 'ok') return { holdings, refusedWith: answer };
    holdings.push(holding);
  }
}

/** Creates a budget that two keys have used up, so that a third was refused. */
function oneWaits() {
  let now = 0;
  const budget = budgetOf(8, { nowMs: () => now });
  const greedy = takeAll(budget, 'greedy').holdings;
  const second = takeAll(budget, 'second').holdings;
  expect([greedy.length, second.length]).toEqual([6, 2]);
  const waiting = budget.open('third');
  expect(asked(waiting, 1)).toBe('OVERLOADED');
  return { budget, greedy, waiting, pass: (ms: number) => void (now += ms) };
}

const maxUnits = fc.integer({ min: 4, max: 64 });
const step = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  holding: fc.nat(2),
  units: fc.nat(40),
  passMs: fc.constantFrom(0, 0, 500, 1_500, 3_000),
});

describe('a shared budget', () => {
  it('is never exceeded, refuses within a share only where the whole is used up, and is empty once all is given back', () => {
    fc.assert(
      fc.property(maxUnits, fc.array(step, { maxLength: 80 }), (max, steps) => {
        let now = 0;
        const budget = budgetOf(max, { nowMs: () => now });
        const share = Math.floor(max / 4);
        const holdings = new Map<string, { key: string; holding: Holding; units: number }>();
        const held = (key?: string) =>
          [...holdings.values()].reduce((sum, one) => sum + (key === undefined || one.key === key ? one.units : 0), 0);
        for (const { key, holding: index, units, passMs } of steps) {
          now += passMs;
          const name = `${key}${index}`;
          const one = holdings.get(name) ?? { key, holding: budget.open(key), units: 0 };
          holdings.set(name, one);
          const ofKey = held(key) + units - one.units;
          const ofAll = held() + units - one.units;
          const answer = asked(one.holding, units);
          if (units <= one.units) expect(answer).toBe('ok');
          else if (ofKey <= share) expect(answer).toBe(ofAll <= max ? 'ok' : 'OVERLOADED');
          else if (answer === 'ok') expect(ofAll).toBeLessThanOrEqual(max - share);
          else expect(answer).toBe('RATE_LIMITED');
          if (answer === 'ok') one.units = units;
          expect(budget.usedUnits).toBe(held());
          expect(budget.usedUnits).toBeLessThanOrEqual(max);
        }
        for (const { holding } of holdings.values()) {
          holding.release();
          holding.release();
        }
        expect(budget.usedUnits).toBe(0);
      }),
    );
  });

  it('gives one key alone three quarters, and another its whole share at once, however greedy the first is', () => {
    fc.assert(
      fc.property(maxUnits, (max) => {
        const budget = budgetOf(max);
        const greedy = takeAll(budget, 'greedy');
        expect(greedy.holdings).toHaveLength(max - Math.floor(max / 4));
        expect([greedy.holdings.length, greedy.refusedWith]).toEqual([budget.mostUnitsOfOne, 'RATE_LIMITED']);
        expect(asked(budget.open('newcomer'), Math.floor(max / 4))).toBe('ok');
      }),
    );
  });

  it('gives what the greedy give back to who waits, until that one is served', () => {
    const { budget, greedy, waiting } = oneWaits();
    greedy.slice(0, 4).forEach((holding) => holding.release());
    expect(asked(budget.open('greedy'), 1)).toBe('RATE_LIMITED');
    expect(asked(waiting, 1)).toBe('ok');
    expect(asked(budget.open('greedy'), 1)).toBe('ok');
  });

  it('keeps nothing for one that does not come back when it was asked to', () => {
    const { budget, greedy, pass } = oneWaits();
    greedy.slice(0, 4).forEach((holding) => holding.release());
    pass(2 * RETRY_AFTER_MS - 1);
    expect(asked(budget.open('greedy'), 1)).toBe('RATE_LIMITED');
    pass(1);
    expect(asked(budget.open('greedy'), 1)).toBe('ok');
  });

  it('counts what is used up beside the keys', () => {
    let other = 0;
    const budget = budgetOf(8, { otherUnits: () => other });
    other = 5;
    expect(asked(budget.open('a'), 3)).toBe('RATE_LIMITED');
    expect(asked(budget.open('a'), 2)).toBe('ok');
    other = 7;
    expect(asked(budget.open('b'), 1)).toBe('OVERLOADED');
    expect(budget.usedUnits).toBe(9);
  });

  it('has a place for one where there is only one', () => {
    const budget = budgetOf(1);
    const first = budget.open('a');
    expect([budget.mostUnitsOfOne, asked(first, 1), asked(budget.open('b'), 1)]).toEqual([1, 'ok', 'OVERLOADED']);
    first.release();
    expect(asked(budget.open('b'), 1)).toBe('ok');
  });
});
