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
import { invalidToolArguments } from '../invalid-tool-arguments/invalid-tool-arguments.ts';
import { lockingChange } from './locking-change.ts';

const first = called('exchange_items', { order: 'W-1002', item: 'I-1' }, '{"status":"exchange requested"}');
const second = (order: string, message: string) => failed('exchange_items', { order, item: 'I-2' }, message);
const LOCKED = 'Error: order cannot be exchanged: it is no longer open';

it('a change that is refused because of an earlier one is reported, and names the earlier one', () => {
  const [found] = detect(
    lockingChange,
    conversation([user('Exchange I-1'), ...first, user('And I-2'), ...second('W-1002', LOCKED)]),
  );
  expect(found).toMatchObject({ severity: 'medium', signals: ['later_change_denied'] });
  expect(found?.anchor.stepIndex).toBe(1);
});

it('several refusals after one change are one case', () => {
  const script = [user('Go'), ...first, ...second('W-1002', LOCKED), ...second('W-1002', 'Error: it has already been')];
  expect(detect(lockingChange, conversation(script))).toHaveLength(1);
  expect(detect(invalidToolArguments, conversation(script))).toEqual([]);
});

it('an agent that says it is too late is reported', () => {
  const script = [
    user('Exchange I-1'),
    ...first,
    user('Oh, and I-2 too'),
    assistant('Since the order has already been exchanged, it can no longer be changed.'),
  ];
  expect(firedSignals(lockingChange, script)).toEqual(['later_wish_denied']);
});

it.each([
  ['another thing', [user('Go'), ...first, ...second('W-2000', LOCKED)]],
  [
    'a state that the thing had before',
    [
      user('Go'),
      ...called('get_order', {}, '{"id":"W-1002","status":"exchange requested"}'),
      ...first,
      ...second('W-1002', LOCKED),
    ],
  ],
  [
    'only the same person',
    [
      user('Go'),
      ...called('cancel_order', { order: 'W-1', user_id: 'u-17' }, '{"status":"cancelled"}'),
      ...failed('cancel_order', { order: 'W-2', user_id: 'u-17' }, LOCKED),
    ],
  ],
  ['another reason', [user('Go'), ...first, ...second('W-1002', 'Error: item I-2 not found')]],
  ['the first change of all', [user('Go'), ...second('W-1002', LOCKED)]],
  ['a change that failed before', [user('Go'), ...second('W-1002', LOCKED), ...second('W-1002', LOCKED)]],
])('left alone: %s', (_, script) => {
  expect(firedSignals(lockingChange, script)).toEqual([]);
});
