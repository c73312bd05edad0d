import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DisjointSets } from './disjoint-sets.ts';

const LENGTH = 20;
const joins = fc.array(fc.tuple(fc.nat(LENGTH - 1), fc.nat(LENGTH - 1)), { maxLength: 40 });

it('sets hold what was joined, however it was, and are named by their least number', () => {
  fc.assert(
    fc.property(joins, (pairs) => {
      const sets = new DisjointSets(LENGTH);
      const naive = Array.from({ length: LENGTH }, (_, number) => new Set([number]));
      for (const [left, right] of pairs) {
        sets.join(left, right);
        const joined = new Set([...naive[left]!, ...naive[right]!]);
        for (const member of joined) naive[member] = joined;
      }
      naive.forEach((members, number) => expect(sets.find(number)).toBe(Math.min(...members)));
    }),
  );
});
