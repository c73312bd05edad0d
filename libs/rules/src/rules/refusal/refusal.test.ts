import { expect, it } from '@jest/globals';
import { assistant, firedSignals, user } from '../../test-support/conversation.ts';
import { refusal } from './refusal.ts';

it.each([
  "I'm sorry, but I can't assist with that request.",
  'As an AI language model, I cannot give an opinion.',
  'That goes against my guidelines.',
  'Als KI kann ich dazu nichts sagen und nicht helfen.',
])('%j is reported: the model refuses as such', (text) => {
  expect(firedSignals(refusal, [user('Compare these two offers'), assistant(text)])).toEqual(['model_refused']);
});

it('a user who is refused three times is reported', () => {
  const declined = assistant('Unfortunately, this ticket cannot be refunded.');
  const script = [user('Refund it'), declined, user('Please, is there no way?'), declined, user('Really?'), declined];
  expect(firedSignals(refusal, script)).toEqual(['request_declined', 'declined_again']);
});

it.each([
  [[user('Refund it'), assistant('Unfortunately, this ticket cannot be refunded.')]],
  [
    [
      user('Refund it'),
      assistant('It cannot be refunded.'),
      user('Why?'),
      assistant('It is not possible after 30 days.'),
    ],
  ],
  [[user('Is it possible?'), assistant('Yes, it is possible.')]],
])('left alone: a refusal that may be right', (script) => {
  expect(firedSignals(refusal, script)).toEqual([]);
});
