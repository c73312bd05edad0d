import { expect, it } from '@jest/globals';
import { assistant, conversation, detect, firedSignals, user } from '../../test-support/conversation.ts';
import { userFrustration } from './user-frustration.ts';

const after = (text: string): string[] =>
  firedSignals(userFrustration, [user('Where is my order?'), assistant('I am looking.'), user(text)]);

it.each<readonly [string, string[]]>([
  ['This is ridiculous!', ['frustration_voiced']],
  ['You are not helping at all.', ['frustration_voiced']],
  ['I am so frustrated right now', ['frustration_voiced']],
  ['Forget it, I will do it myself.', ['user_gave_up']],
  ['Das ist wirklich unverschämt.', ['frustration_voiced']],
  ["C'est vraiment inadmissible.", ['frustration_voiced']],
  ['Esto es una pérdida de tiempo', ['frustration_voiced']],
  ['This is a joke. Let me speak to a human!!!', ['frustration_voiced', 'person_wanted', 'shouting']],
])('%j is reported', (text, signals) => {
  expect(after(text)).toEqual(signals);
});

it.each([
  'My customers are fed up, this is ridiculous for my team.',
  'Thanks, that helps.',
  'Can I speak to a person?',
  'Could you tell me what the fee would be?',
  'NASA and ESA',
])('left alone: %j', (text) => {
  expect(after(text)).toEqual([]);
});

it('who comes angry is angry about something else', () => {
  expect(firedSignals(userFrustration, [user('This is ridiculous, my order is late!'), assistant('Sorry.')])).toEqual(
    [],
  );
});

it('a project adds its own words', () => {
  const script = [user('Hi'), assistant('Hello'), user('Na toll')];
  expect(detect(userFrustration, conversation(script), { keywords: ['na toll'] })).toHaveLength(1);
});
