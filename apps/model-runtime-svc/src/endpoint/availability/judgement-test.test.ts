import { expect, it } from '@jest/globals';
import { capableModel, RIGHT_JUDGEMENTS, type ChatRequest } from '@clew/testing/provider';
import { JUDGEMENT_CASES, judgementPrompt, judgementScore, passesJudgement } from './judgement-test.ts';

const request: ChatRequest = { model: 'm', messages: [{ role: 'user', content: judgementPrompt() }] };
const unasked = () => ({ text: 'It was not the judgement test' });

it('the scripted model of other tests knows the judgement test, and passes it or fails it as it is told', async () => {
  expect(RIGHT_JUDGEMENTS).toEqual(JUDGEMENT_CASES.map(({ isSupported }) => isSupported));
  for (const judges of [true, false]) {
    const { text = '' } = await capableModel(unasked, { judges })(request);
    expect(passesJudgement(judgementScore(JSON.parse(text)))).toBe(judges);
  }
});
