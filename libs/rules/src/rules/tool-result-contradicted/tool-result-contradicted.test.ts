import { expect, it } from '@jest/globals';
import { assistant, called, conversation, detect, firedSignals, user } from '../../test-support/conversation.ts';
import { toolResultContradicted } from './tool-result-contradicted.ts';

const result = {
  total: 120,
  orders: [{ price: 45 }, { price: 30 }, { price: 45.5 }],
};
const work = [user('What do I pay?'), ...called('get_orders', {}, result)];

it.each([
  ['another number under the same name', 'The total is $140.', 'number_differs'],
  ['more things than there are', 'You have five orders.', 'count_differs'],
  ['all of fewer things', 'All two orders are open.', 'count_differs'],
  ['not the lowest', 'The cheapest price is 45.', 'extreme_differs'],
])('%s is reported', (_, text, signal) => {
  const [found] = detect(toolResultContradicted, conversation([...work, assistant(text)]));
  expect(found?.signals).toEqual([signal]);
  expect(found?.evidence).toHaveLength(2);
});

it.each([
  'The total is $120.',
  'The total with the second order twice is 150.',
  'Two orders cost more than 40.',
  'You have three orders.',
  'The cheapest price is 30.',
  'The cheapest with a window is 45.',
  'Is the total $140?',
  'Order 5 of 12 May has three items.',
])('left alone: %j', (text) => {
  expect(firedSignals(toolResultContradicted, [...work, assistant(text)])).toEqual([]);
});

it('what the user said is no contradiction', () => {
  expect(
    firedSignals(toolResultContradicted, [...work, user('My total was 155.25'), assistant('Your total was 155.25.')]),
  ).toEqual([]);
});
