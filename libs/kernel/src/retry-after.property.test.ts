import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comeBackLater, overloaded, retryAfterHeader, retryAfterMs } from './retry-after.ts';

const NOW_MS = Date.UTC(1994, 10, 6, 8, 49, 0);
const wholeSecond = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000);

describe('what a Retry-After asks for', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['1.5', 1_500],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
    ['Sun Nov  6 08:49:37 1994', 37_000],
    ['Sun, 06 Nov 1994 08:48:00 GMT', 0],
  ])('%j is %i ms', (value, ms) => {
    expect(retryAfterMs(value, NOW_MS)).toBe(ms);
  });

  it.each([
    ...[undefined, null, '', ' ', '-1', '+5', '1e3', '0x10', 'NaN', 'Infinity', 'soon', '5 s', '1, 2', '9'.repeat(10)],
    ...['2030-01-01', 'Nov 6', 'Sun, 06 Nov 1994 08:49:37 PST', 'Sun, 06 Nov 1994', 'Sun, 06 Now 1994 08:49:37 GMT'],
  ])('%j is nothing', (value) => {
    expect(retryAfterMs(value, NOW_MS)).toBeUndefined();
  });

  it('is the time until a date, and nothing is asked for by one that has passed', () => {
    fc.assert(
      fc.property(wholeSecond, wholeSecond, (atMs, nowMs) => {
        expect(retryAfterMs(new Date(atMs).toUTCString(), nowMs)).toBe(Math.max(0, atMs - nowMs));
      }),
    );
  });

  it('is a finite time or nothing, whatever the header holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), wholeSecond, (value, nowMs) => {
        const ms = retryAfterMs(value, nowMs);
        expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true);
      }),
    );
  });

  it('is what the header of ours says: never earlier than meant, and less than a second later', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (ms) => {
        const asked = retryAfterMs(retryAfterHeader(ms)['retry-after'], NOW_MS) ?? -1;
        expect(asked).toBeGreaterThanOrEqual(ms);
        expect(asked - ms).toBeLessThanOrEqual(1_000);
        expect(asked).toBeGreaterThanOrEqual(1_000);
      }),
    );
  });
});

describe('an error that asks to come back later', () => {
  it('says when, and keeps its cause for the log', () => {
    const cause = new Error('inside');
    expect(comeBackLater('UPSTREAM_UNAVAILABLE', 'm', 1_200, cause)).toMatchObject({
      ...{ code: 'UPSTREAM_UNAVAILABLE', status: 503, message: 'm', headers: { 'retry-after': '2' }, cause },
    });
    expect(comeBackLater('RATE_LIMITED', 'm', 0)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(overloaded('m', 5)).toMatchObject({ code: 'OVERLOADED', headers: { 'retry-after': '5' } });
  });
});
