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
import { unsupportedActionClaim } from './unsupported-action-claim.ts';

const asked = user('Please cancel order A-10');

it.each([['nothing but a lookup', [...called('get_order', { id: 'A-10' }, '{"id":"A-10"}')]]])(
  'said to be done after %s: reported',
  (_, work) => {
    const [found] = detect(
      unsupportedActionClaim,
      conversation([asked, ...work, assistant('Your order has been cancelled.')]),
    );
    expect(found).toMatchObject({ severity: 'medium', signals: ['claimed_without_call'] });
  },
);

it('a part that no call names is reported, and a part that one names is not', () => {
  const work = called('update_booking', { booking: 'B-2', cabin: 'business' }, '{"status":"ok"}');
  const claims = 'The cabin has been upgraded. A breakfast basket has been added to your booking.';
  const [found, ...others] = detect(unsupportedActionClaim, conversation([asked, ...work, assistant(claims)]));
  expect(found).toMatchObject({ severity: 'low', signals: ['claimed_part_not_called'] });
  expect(found?.anchor.quotes[0]?.quote).toContain('breakfast basket');
  expect(others).toEqual([]);
});

it('a change for a person that the call does not name is reported', () => {
  const script = [
    user('Upgrade Mira Lund, please, not Tom.'),
    ...called('update_booking', { booking: 'B-2', cabin: 'business' }, '{"passengers":["Mira Lund","Tom Lund"]}'),
    assistant('Mira has been upgraded to business class.'),
  ];
  expect(firedSignals(unsupportedActionClaim, script)).toEqual(['claimed_part_not_called']);
});

it('what is said to have been looked up without a call is reported', () => {
  const script = [
    ...called('search', { q: 'x' }, '[]'),
    user('Which hotels are there?'),
    assistant("I've checked the listings: Hotel Bellevue for 120.50, Hotel Aurora for 98.20, Grand Palace for 310.75."),
  ];
  expect(firedSignals(unsupportedActionClaim, script)).toEqual(['looked_up_without_call']);
});

it.each([
  ['a tool did it', [...called('cancel_order', { id: 'A-10' }, 'ok'), assistant('Your order has been cancelled.')]],
  [
    'a change that failed, which is an unhandled error',
    [...failed('cancel_order', { id: 'A-10' }, 'Error: locked'), assistant('Your order has been cancelled.')],
  ],
  [
    'what the result of a change names',
    [...called('request_leave', {}, '{"ref":"LR-3321"}'), assistant('Your leave LR-3321 has been submitted.')],
  ],
  [
    'the state that a result tells',
    [...called('get_order', {}, '{"status":"cancelled"}'), assistant('Your order has been cancelled.')],
  ],
  [
    'what only the result of the change names',
    [
      ...called('update_booking', { id: 3 }, '{"extras":["breakfast basket"]}'),
      assistant('A breakfast basket has been added to your booking.'),
    ],
  ],
  ['a question', [...called('get_order', {}, '{}'), assistant('Has your order been cancelled by you?')]],
  ['a condition', [...called('get_order', {}, '{}'), assistant('Once it has been cancelled, you get a mail.')]],
  ['a denial', [...called('get_order', {}, '{}'), assistant('It has not been cancelled.')]],
  ['no tools in sight', [assistant('Your order has been cancelled.')]],
  [
    'general words',
    [...called('update_order', { id: 1 }, 'ok'), assistant('Your request has been processed and updated.')],
  ],
  [
    'a tool whose verb means the same',
    [...called('reschedule_visit', { visit: 4 }, 'ok'), assistant('Your check-up has been rescheduled.')],
  ],
  [
    'a number that the call was given',
    [
      ...called('put_standing_order', { sum: '1200.0' }, 'ok'),
      assistant('The rent has been increased to 1,200 euros.'),
    ],
  ],
  ['another spelling', [...called('update_order', { total_bags: 2 }, 'ok'), assistant('Two bags have been added.')]],
])('left alone: %s', (_, work) => {
  expect(firedSignals(unsupportedActionClaim, [asked, ...work])).toEqual([]);
});
