import { expect, it } from '@jest/globals';
import { assistant, called, conversation, detect, firedSignals, user } from '../../test-support/conversation.ts';
import { droppedRequest } from './dropped-request.ts';

it('a part of the request that nothing takes up is reported', () => {
  const script = [
    user('Please move my delivery to Monday morning. Could you also remove the engraving from the silver bracelet?'),
    ...called('update_delivery', { day: 'Monday' }, 'ok'),
    assistant('Your delivery comes on Monday morning.'),
  ];
  const [found] = detect(droppedRequest, conversation(script));
  expect(found?.signals).toEqual(['part_not_taken_up']);
  expect(found?.anchor.quotes[0]?.quote).toBe('Could you also remove the engraving from the silver bracelet?');
});

it('work that is announced and not done is reported', () => {
  const script = [
    ...called('get_user', {}, '{}'),
    user('What is the status?'),
    assistant('Let me check that for you.'),
    user('Hello?'),
    assistant('It is done.'),
  ];
  expect(firedSignals(droppedRequest, script)).toEqual(['promise_not_kept']);
});

it('a conversation that ends with a request is reported', () => {
  const script = [user('Hi'), assistant('Hello'), user('Can you cancel my order A-7?')];
  expect(firedSignals(droppedRequest, script)).toEqual(['ended_unanswered']);
});

it.each([
  ['a step of the work', 'The id is needed for that. I need to find the id of the event first.'],
  ['a promise', 'Let me check that for you.'],
  ['a call that is written as text', 'I will first look up the patient.\n\nGET http://records.example/Patient?id=S1'],
])('a conversation that ends with an announcement is reported: %s', (_, text) => {
  const script = [user('Add Jo to the meeting'), ...called('list', {}, '[]'), assistant(text)];
  const [found] = detect(droppedRequest, conversation(script));
  expect(found).toMatchObject({ signals: ['ended_unanswered'], severity: 'high' });
  expect(found?.anchor.stepIndex).toBe(3);
});

it.each([
  ['a promise where nothing is done but talking', [user('My knee hurts'), assistant('I will check your knee again.')]],
  ['a step that is taken', [user('Hi'), assistant('Let me check.'), ...called('a', {}, 'ok'), assistant('It is on.')]],
  ['a question', [...called('a', {}, ''), user('Hi'), assistant('Shall I? Then I will check the order.')]],
  [
    'a promise with a condition',
    [...called('a', {}, ''), user('Book it'), assistant("Once you confirm, I'll book it.")],
  ],
  ['a closing word', [user('Hi'), assistant('Done.'), user('Great, thanks, could not have asked for more')]],
  [
    'an answer in other words',
    [user('How many suitcases may I bring along? Which number of pieces travels free?'), assistant('Three bags.')],
  ],
])('left alone: %s', (_, script) => {
  expect(firedSignals(droppedRequest, script)).toEqual([]);
});

it('a beginning of a conversation may go on', () => {
  const script = [user('Hi'), assistant('Hello'), user('Can you cancel my order A-7?')];
  expect(detect(droppedRequest, conversation(script, { scope: 'prefix' }))).toEqual([]);
});

it('a step that is announced in a part of a conversation may still come', () => {
  const script = [user('Hi'), ...called('a', {}, ''), assistant('Let me check that for you.')];
  expect(detect(droppedRequest, conversation(script, { truncated: true }))).toEqual([]);
});
