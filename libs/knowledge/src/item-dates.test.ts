import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endOfDate, isDated, startOfDate } from './item-dates.ts';

const ON_3_JUNE = Date.UTC(2026, 5, 3, 12);

describe('a date of an item', () => {
  it.each([
    ['2026-06-12', 'From 12 June 2026 we close at noon'],
    ['2026-06', 'From June on we close at noon'],
    ['2027-01-15', 'from the 15th of January'],
    ['2026', 'Since 2026 it is so'],
    ['2026-06-04', 'It starts tomorrow'],
    ['2026-07', 'Ab nächsten Monat gilt es'],
    ['2026-06-30', 'until 30/6'],
  ])('%s is told by: %s', (date, text) => {
    expect(isDated(date, [{ text, atMs: ON_3_JUNE }])).toBe(true);
  });

  it.each([
    ['2026-06-13', 'From 12 June 2026 we close at noon'],
    ['2026-07', 'From June on we close at noon'],
    ['2026', 'We close at noon'],
    ['2026-06-03', 'We close at noon'],
    ['2031-06', 'From June on we close at noon'],
    ['2026-02-30', 'On 30 February 2026'],
    ['next week', 'next week'],
    ['2026-6-1', 'On 1 June 2026'],
  ])('%s is not told by: %s', (date, text) => {
    expect(isDated(date, [{ text, atMs: ON_3_JUNE }])).toBe(false);
  });

  it('of any day ends where the next day begins, within its month and year', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2090, 0) }), (ms) => {
        const day = new Date(ms).toISOString().slice(0, 10);
        const [start, end] = [startOfDate(day)!, endOfDate(day)!];
        expect(end - start).toBe(86_400_000);
        expect(new Date(start).toISOString()).toBe(`${day}T00:00:00.000Z`);
        for (const longer of [day.slice(0, 7), day.slice(0, 4)]) {
          expect(startOfDate(longer)).toBeLessThanOrEqual(start);
          expect(endOfDate(longer)).toBeGreaterThanOrEqual(end);
        }
      }),
    );
  });
});
