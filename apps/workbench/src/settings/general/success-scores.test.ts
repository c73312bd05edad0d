import { expect, it } from '@jest/globals';
import { scoreDrafts, scoresOf } from './success-scores.ts';

it('are the same after they were shown', () => {
  const scores = [{ name: 'thumbs' }, { name: 'csat', atLeast: 4 }, { name: 'zero', atLeast: 0 }];
  expect(scoresOf(scoreDrafts(scores))).toEqual(scores);
});

it('have no nameless lines, and no numbers that are none', () => {
  expect(scoresOf([{ name: ' ', atLeast: '1' }])).toEqual([]);
  expect(scoresOf([{ name: 'csat', atLeast: 'four' }])).toBeUndefined();
});
