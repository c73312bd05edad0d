import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHANGE_TYPES, type Change } from '@clew/contracts';
import { createPendingChanges } from './pending-changes.ts';

const MAX_IDS = 5;
const change = fc.record({
  type: fc.constantFrom(...CHANGE_TYPES.slice(0, 3)),
  id: fc.nat({ max: 9 }).map((number) => `id-${number}`),
  at: fc.nat({ max: 1_000 }),
});
/** Changes with the moments at which they are taken out. */
const history = fc.array(fc.oneof({ weight: 9, arbitrary: change }, { weight: 1, arbitrary: fc.constant('take') }));

function play(steps: readonly (fc.Arbitrary<never> | string | Omit<Change, 'id'> | { id: string })[]) {
  const pending = createPendingChanges(MAX_IDS);
  const rounds: { added: (Change & { id: string })[]; taken: Change[] }[] = [];
  let added: (Change & { id: string })[] = [];
  for (const step of [...steps, 'take']) {
    if (step === 'take') {
      rounds.push({ added, taken: pending.take() });
      added = [];
    } else {
      const one = step as Change & { id: string };
      pending.add(one.type, one.id, one.at);
      added.push(one);
    }
  }
  return rounds;
}

describe('pending changes', () => {
  it('lose nothing: each change is covered by what is taken next, with the time of the last one', () => {
    fc.assert(
      fc.property(history, (steps) => {
        for (const { added, taken } of play(steps)) {
          for (const { type, id, at } of added) {
            const covering = taken.find((one) => one.type === type && (one.id === id || one.id === null));
            expect(covering?.at).toBeGreaterThanOrEqual(at);
          }
        }
      }),
    );
  });

  it('say each thing once, and nothing that has not changed', () => {
    fc.assert(
      fc.property(history, (steps) => {
        for (const { added, taken } of play(steps)) {
          const names = taken.map(({ type, id }) => `${type} ${id}`);
          expect(new Set(names).size).toBe(names.length);
          for (const { type, id } of taken) {
            expect(added.some((one) => one.type === type && (id === null || one.id === id))).toBe(true);
          }
        }
      }),
    );
  });

  it('are bounded: of too many things of one type only that is said, and the other types stay as they are', () => {
    fc.assert(
      fc.property(history, (steps) => {
        for (const { added, taken } of play(steps)) {
          for (const [type, ofType] of Map.groupBy(taken, (one) => one.type)) {
            expect(ofType.length).toBeLessThanOrEqual(MAX_IDS);
            const changed = new Set(added.filter((one) => one.type === type).map(({ id }) => id));
            expect(ofType.some(({ id }) => id === null)).toBe(changed.size > MAX_IDS);
          }
        }
      }),
    );
  });
});
