import { expect, it } from '@jest/globals';
import {
  assistant,
  called,
  conversation,
  detect,
  failed,
  firedSignals,
  repeated,
  user,
} from '../../test-support/conversation.ts';
import { droppedRequest } from '../dropped-request/dropped-request.ts';
import { invalidToolArguments } from '../invalid-tool-arguments/invalid-tool-arguments.ts';
import { stepBudgetExhausted } from './step-budget.ts';

it.each([
  ['a message', assistant('Agent stopped due to max iterations.')],
  ['a finish reason', assistant('So far I have', { finishReason: 'max_turns' })],
  ['an error', assistant('', { error: { type: 'GraphRecursionError', message: 'Recursion limit of 25 reached' } })],
])('%s that tells of a limit is reported', (_, last) => {
  expect(firedSignals(stepBudgetExhausted, [user('Go'), last])).toEqual(['limit_reported']);
});

it('a framework that ends the work at a limit in the role of the user is reported once, by this Rule', () => {
  const script = [
    user('Make the tests pass'),
    assistant('Here is a change.'),
    user('2 tests failed.\nShall I ask for another attempt? yes\nOnly 3 attempts allowed, stopping.'),
  ];
  expect(firedSignals(stepBudgetExhausted, script)).toEqual(['limit_reported']);
  expect(firedSignals(droppedRequest, script)).toEqual([]);
  expect(firedSignals(stepBudgetExhausted, [...script, assistant('I see.')])).toEqual([]);
});

it('a conversation that ends in the middle of long work is reported', () => {
  const script = [user('Go'), ...repeated(12, (n) => called('step', { n }, `result ${n}`))];
  expect(firedSignals(stepBudgetExhausted, script)).toEqual(['stopped_while_working']);
  expect(detect(stepBudgetExhausted, conversation(script, { scope: 'prefix' }))).toEqual([]);
});

it.each([
  ['long work with an answer', [user('Go'), ...repeated(12, (n) => called('step', { n }, 'ok')), assistant('Done.')]],
  ['short work', [user('Go'), ...called('step', {}, 'ok')]],
  [
    'a handover',
    [user('Go'), ...repeated(12, (n) => called('step', { n }, 'ok')), ...called('transfer_to_human', {}, 'ok')],
  ],
  ['a text about limits', [user('Go'), assistant(`${'A long report. '.repeat(150)} The speed limit was reached.`)]],
])('left alone: %s', (_, script) => {
  expect(firedSignals(stepBudgetExhausted, script)).toEqual([]);
});

it('a refused call that is repeated to the limit is one Finding, of the Rule for refused calls', () => {
  const refused = repeated(12, () => failed('run', { command: 'ls -z' }, 'ls: invalid option -- z'));
  const script = [user('List the files'), ...refused, assistant('Agent stopped due to max iterations.')];
  expect(firedSignals(stepBudgetExhausted, script)).toEqual([]);
  const [found] = detect(invalidToolArguments, conversation(script));
  expect(found?.signals).toEqual(['same_call_refused_again']);
  expect(found?.summary).toContain('No call succeeded afterwards.');
  const goesOn = [...script.slice(0, -1), ...called('run', { command: 'ls' }, 'a.txt'), ...script.slice(-1)];
  expect(firedSignals(stepBudgetExhausted, goesOn)).toEqual(['limit_reported']);
});
