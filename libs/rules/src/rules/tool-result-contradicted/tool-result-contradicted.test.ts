import { expect, it } from '@jest/globals';
import fc from 'fast-check';
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

const booking = { id: 'B-1', fare: 350, payments: [{ amount: 498 }, { amount: 1200 }] };
const changed = [user('Upgrade me'), ...called('update_booking', { id: 'B-1' }, booking)];

it.each([
  ['the amount of a change', changed, 'The payment of $600 has been processed.', 'amount_moved_differs'],
  ['a refund', changed, 'You have been refunded $75.50.', 'amount_moved_differs'],
  [
    'a property of records',
    [user('Which?'), ...called('get', {}, { a: { available: true }, b: { available: true }, c: { available: false } })],
    'There are three options available.',
    'flag_count_differs',
  ],
  [
    'things that were looked at',
    [
      user('How many orders?'),
      ...called('get_user', {}, { orders: ['A-1', 'A-2', 'A-3', 'A-4'] }),
      ...called('get_order', { id: 'A-1' }, 'open'),
      ...called('get_order', { id: 'A-2' }, 'sent'),
    ],
    'You have two orders.',
    'list_not_read_to_end',
  ],
  [
    'a page',
    [user('How many invoices?'), ...called('list', {}, { invoices: [{ n: 1 }, { n: 2 }], has_more: true })],
    'You have 2 invoices.',
    'part_taken_for_whole',
  ],
  [
    'a list whose total is higher',
    [user('Is there one of May?'), ...called('list', {}, { total: 40, limit: 1, rows: [{ month: 'June' }] })],
    'There is no invoice of May.',
    'part_taken_for_whole',
  ],
  [
    'a text that was cut off',
    [user('Does it fail?'), ...called('run', {}, 'ok\nok\n[truncated]')],
    'There are no failures.',
    'part_taken_for_whole',
  ],
])('a wrong statement is reported: %s', (_, script, text, signal) => {
  expect(firedSignals(toolResultContradicted, [...script, assistant(text)])).toContain(signal);
});

it.each([
  ['an amount of the change', changed, 'The payment of $1,200 has been processed.'],
  ['a difference of two', changed, 'The payment of $702 has been processed.'],
  ['a sum of two', changed, 'You have been charged $1,698.00.'],
  ['what will be moved', changed, 'You will be refunded $75.50.'],
  ['a rate', changed, 'You have been charged $75.50 per night.'],
  ['an earlier payment', changed, 'You were originally charged $75.50.'],
  ['a lookup', [user('Hi'), ...called('get_booking', {}, booking)], 'You have been charged $75.50.'],
  ['a change that failed', [user('Hi'), ...called('update_booking', {}, 'Error: locked')], 'You were refunded $7.'],
  [
    'a count that is right',
    [user('Which?'), ...called('get', {}, { a: { available: true }, b: { available: true }, c: { available: false } })],
    'Two options are available.',
  ],
  [
    'a count with a condition',
    [user('Which?'), ...called('get', {}, { a: { available: true }, b: { available: true }, c: { available: true } })],
    'There are two options available that fit.',
  ],
  [
    'a part that is called one',
    [user('How many?'), ...called('list', {}, { invoices: [{ n: 1 }, { n: 2 }], has_more: true })],
    'These are the first two invoices. There are more.',
  ],
  [
    'a page that was followed by the next',
    [
      user('How many?'),
      ...called('list', {}, { invoices: [{ n: 1 }, { n: 2 }], has_more: true }),
      ...called('list', { page: 2 }, { invoices: [{ n: 3 }], has_more: false }),
    ],
    'You have 3 invoices.',
  ],
])('a right statement is left alone: %s', (_, script, text) => {
  expect(firedSignals(toolResultContradicted, [...script, assistant(text)])).toEqual([]);
});

it('an amount that a change moved is never reported, nor a sum of two', () => {
  const cents = fc.integer({ min: 1, max: 10_000_000 });
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (amounts, first, second) => {
      const at = (index: number): number => amounts[index % amounts.length] ?? 0;
      const told = first % amounts.length === second % amounts.length ? at(first) : at(first) + at(second);
      const result = { payments: amounts.map((amount) => ({ amount: amount / 100 })) };
      const script = [
        user('Go on'),
        ...called('update_booking', {}, result),
        assistant(`You have been charged $${(told / 100).toFixed(2)}.`),
      ];
      expect(firedSignals(toolResultContradicted, script)).not.toContain('amount_moved_differs');
    }),
  );
});
