import type { Score, SuccessScore } from '@clew/contracts';
import { expect, it } from '@jest/globals';
import { assistant, conversation, detect, user } from '../../test-support/conversation.ts';
import { negativeScore } from './negative-score.ts';

function scored(
  value: Score['value'],
  extra: Partial<Score> = {},
  { keywords = [], successScores }: { keywords?: string[]; successScores?: SuccessScore[] } = {},
) {
  const score: Score = { id: 'score_1', name: 'helpful', value, source: 'user', createdAt: 1, ...extra };
  const snapshot = conversation([user('Hi'), assistant('Hello'), user('Bye'), assistant('Goodbye')], {
    scores: [score],
    ...(successScores === undefined ? {} : { successScores }),
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
  expect(scored('meh', {}, { keywords: ['Meh'] })).toHaveLength(1);
});

it('a project that names the scores that count has those alone reported, by their thresholds', () => {
  const successScores = [{ name: 'csat', atLeast: 4 }, { name: 'resolved' }];
  const reported = (name: string, value: Score['value'], keywords: string[] = []) =>
    scored(value, { name }, { successScores, keywords }).length;
  expect([3, 4, '3', 'bad'].map((value) => reported('csat', value))).toEqual([1, 0, 1, 1]);
  expect([false, 0.2, 3].map((value) => reported('resolved', value))).toEqual([1, 1, 0]);
  expect([false, 0, 'bad'].map((value) => reported('toxicity', value))).toEqual([0, 0, 0]);
  expect([reported('resolved', 'escalated', ['escalated']), reported('tone', 'escalated', ['escalated'])]).toEqual([
    1, 0,
  ]);
});
