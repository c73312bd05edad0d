import type { Score } from '@clew/contracts';
import { expect, it } from '@jest/globals';
import { assistant, conversation, detect, user } from '../../test-support/conversation.ts';
import { negativeScore } from './negative-score.ts';

function scored(value: Score['value'], extra: Partial<Score> = {}, keywords: string[] = []) {
  const score: Score = { id: 'score_1', name: 'helpful', value, source: 'user', createdAt: 1, ...extra };
  const snapshot = conversation([user('Hi'), assistant('Hello'), user('Bye'), assistant('Goodbye')], {
    scores: [score],
  });
  return detect(negativeScore, snapshot, { keywords });
}

it.each([false, 0, 0.2, -1, 'fail', 'Bad', 'thumbs_down', '0.1', '👎'])('%j is reported', (value) => {
  expect(scored(value)).toMatchObject([{ severity: 'high', signals: ['negative_user_feedback'] }]);
});

it.each([true, 1, 0.5, 3, -7, 'pass', 'good', 'maybe', ''])('left alone: %j', (value) => {
  expect(scored(value)).toEqual([]);
});

it('an evaluator is told from a person, and the comment stands in the evidence', () => {
  const [found] = scored(false, { source: 'evaluator', comment: 'It ignored the date' });
  expect(found).toMatchObject({ severity: 'medium', signals: ['failed_evaluation'] });
  expect(found?.evidence[0]).toMatchObject({ kind: 'score', summary: 'Given by an evaluation: "It ignored the date"' });
  expect(found?.anchor.stepIndex).toBe(3);
});

it('a project adds its own words for failure', () => {
  expect(scored('meh', {}, ['Meh'])).toHaveLength(1);
});
