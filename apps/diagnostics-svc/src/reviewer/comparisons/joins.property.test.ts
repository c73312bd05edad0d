import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { joinsOf } from './joins.ts';

const cluster = fc.record({
  _id: fc.stringMatching(/^[a-h]$/),
  standing: fc.constantFrom('new' as const, 'compared' as const),
  createdAt: fc.nat({ max: 3 }),
});
const clusters = fc.uniqueArray(cluster, { selector: ({ _id }) => _id, maxLength: 8 });
const groups = fc
  .shuffledSubarray('abcdefghij'.split(''), { minLength: 0 })
  .chain((ids) => fc.nat({ max: ids.length }).map((at) => [ids.slice(0, at), ids.slice(at)]));

describe('clusters that are the same', () => {
  it('join one of their group that stays, and only new ones do', () => {
    fc.assert(
      fc.property(clusters, groups, (known, same) => {
        const joins = joinsOf(known, same);
        const byId = new Map(known.map((each) => [each._id, each]));
        expect(new Set(joins.map(({ id }) => id)).size).toBe(joins.length);
        for (const { id, into } of joins) {
          expect(byId.get(id)!.standing).toBe('new');
          expect(byId.has(into)).toBe(true);
          expect(joins.some((other) => other.id === into)).toBe(false);
          expect(same.some((group) => group.includes(id) && group.includes(into))).toBe(true);
        }
      }),
    );
  });

  it('all join the same one if all of them are new', () => {
    fc.assert(
      fc.property(clusters, (known) => {
        const fresh = known.map((each) => ({ ...each, standing: 'new' as const }));
        const joins = joinsOf(fresh, [fresh.map(({ _id }) => _id)]);
        expect(joins).toHaveLength(Math.max(0, fresh.length - 1));
        expect(new Set(joins.map(({ into }) => into)).size).toBeLessThanOrEqual(1);
      }),
    );
  });
});
