import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createUlidFactory } from './ulid.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function timeOf(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((time, character) => time * 32 + CROCKFORD.indexOf(character), 0);
}

describe('createUlidFactory', () => {
  it('makes 26 Crockford characters that begin with the time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (timeMs) => {
        const ulid = createUlidFactory({ now: () => timeMs })();
        expect(ulid).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        expect(timeOf(ulid)).toBe(timeMs);
      }),
    );
  });

  it('grows with every call, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 100 }), (times) => {
        let call = 0;
        const next = createUlidFactory({ now: () => times[call++] ?? 0 });
        const ulids = times.map(() => next());
        expect(ulids.toSorted()).toEqual(ulids);
        expect(new Set(ulids).size).toBe(ulids.length);
      }),
    );
  });

  it('goes on to the next millisecond when the counter of one is used up', () => {
    const next = createUlidFactory({ now: () => 7 });
    let last = next();
    for (let count = 0; count < 2 ** 20; count += 1) {
      const ulid = next();
      if (ulid <= last) throw new Error(`${ulid} does not come after ${last}`);
      last = ulid;
    }
    expect(timeOf(last)).toBe(8);
  });

  it('draws other random bits each millisecond, across refills of its pool', () => {
    let nowMs = 0;
    const next = createUlidFactory({ now: () => (nowMs += 1) });
    const tails = Array.from({ length: 500 }, () => next().slice(10));
    expect(new Set(tails).size).toBe(500);
  });
});
