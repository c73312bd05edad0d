import { expect, it } from '@jest/globals';
import { mergeOffers, mergeSummary, mergedAway } from './merge-offers.ts';

const finding = (id: string, mergedInto: string | null = null) => ({ id, mergedInto });
const idsOf = (all: readonly { id: string }[]) => all.map(({ id }) => id);

it('offers those that were chosen before those that were found', () => {
  const found = [finding('a'), finding('c'), finding('d', 'x')];
  expect(idsOf(mergeOffers([finding('a'), finding('b')], found))).toEqual(['a', 'b', 'c']);
});

it('never offers a single Finding itself', () => {
  expect(idsOf(mergeOffers([finding('a')], [finding('a'), finding('b')]))).toEqual(['b']);
});

it('leaves the one into which the others go', () => {
  const chosen = [finding('a'), finding('b'), finding('c')];
  expect(idsOf(mergedAway(chosen, 'b'))).toEqual(['a', 'c']);
  expect(idsOf(mergedAway(chosen, 'z'))).toEqual(['a', 'b', 'c']);
});

it('says what was done', () => {
  expect([mergeSummary(3, 1), mergeSummary(1, 0), mergeSummary(0, 0)]).toEqual([
    '3 merged, 1 refused',
    '1 merged',
    'Nothing merged',
  ]);
});
