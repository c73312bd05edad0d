import { expect, it } from '@jest/globals';
import {
  assistant,
  called,
  conversation,
  detect,
  failed,
  firedSignals,
  user,
} from '../../test-support/conversation.ts';
import { madeUpValue } from './made-up-value.ts';

it.each([
  ['an id that nobody gave', 'refund', { order_id: 'A-10293' }, ['identifier_made_up']],
  ['an e-mail address', 'update_user', { mail: 'jo.sand@web.example' }, ['identifier_made_up']],
  ['an amount that follows from nothing', 'refund', { amount: 373.11 }, ['number_made_up']],
  ['a placeholder', 'get_user', { id: 'your-user-id' }, ['placeholder_used']],
])('%s is reported', (_, tool, args, signals) => {
  const script = [user('I want my money back for 3 shirts of 20 euros'), ...failed(tool, args, 'Error: not found')];
  expect(firedSignals(madeUpValue, script)).toEqual([...signals, 'call_with_it_failed']);
});

it('names where the agent said it first', () => {
  const script = [
    user('Refund me'),
    assistant('Your order is B-77120, is it?'),
    user('I think so'),
    ...failed('refund_order', { id: 'B-77120' }, 'Error: not found'),
  ];
  const [found] = detect(madeUpValue, conversation(script));
  expect(found).toMatchObject({ severity: 'medium' });
  expect(found?.evidence.map(({ location }) => location.stepIndex)).toEqual([3, 1, 4]);
});

it('data that the agent says it assumes are reported', () => {
  const script = [
    user('What did the three shops sell?'),
    assistant("I cannot open the file. Let's assume the following figures: 1,204, 987 and 1,530."),
  ];
  expect(firedSignals(madeUpValue, script)).toEqual(['data_invented']);
});

it.each([
  ['what the user said', [user('Refund A-10293'), ...called('refund', { id: 'a-10293' }, 'ok')]],
  [
    'what a tool gave',
    [user('Hi'), ...called('list', {}, '["A-10293"]'), ...called('refund', { id: 'A-10293' }, 'ok')],
  ],
  ['a product', [user('3 shirts of 20.50'), ...called('pay', { amount: 61.5 }, 'ok')]],
  ['a sum', [user('20.50 and 30.25'), ...called('pay', { amount: 50.75 }, 'ok')]],
  ['a date', [user('next friday'), ...called('book', { day: '2026-05-15' }, 'ok')]],
  ['a note', [user('Hi'), ...called('think', { thought: 'Order A-99120 may be it' }, '')]],
  ['a query', [user('Hi'), ...called('run_sql', { query: 'select 48213' }, '[]')]],
  ['an id that a change took', [user('Hi'), ...called('update_user', { id: 'u_8812' }, '{"name":"Jo"}')]],
  [
    'a change that an outage kept away',
    [user('Hi'), ...failed('cancel_order', { id: 17 }, 'Error: 503 Service Unavailable')],
  ],
  ['a lookup that found it', [user('Hi'), ...called('get_user', { id: 'u_8812' }, '{"name":"Jo"}')]],
  ['a conversation that begins in the middle', [...called('refund', { id: 'A-10293' }, 'ok')]],
  ['a supposition that was asked for', [user('Suppose some sales'), assistant("Let's assume 1,204, 987 and 1,530.")]],
])('left alone: %s', (_, script) => {
  expect(firedSignals(madeUpValue, script)).toEqual([]);
});
