import { describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot, ExpectationCheck } from '@clew/contracts';
import {
  assistant,
  called,
  calls,
  conversation,
  failed,
  repeated,
  user,
  type ScriptedMessage,
} from '../../test-support/conversation.ts';
import { evaluateExpectation } from '../evaluate-expectation.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

function broken(check: ExpectationCheck, script: Script, overrides: Partial<ConversationSnapshot> = {}): number[] {
  return evaluateExpectation({ check }, conversation(script, overrides)).map(({ message }) => message.index);
}

const ask = user('Hello');
const get = called('get_user', { id: 7 }, '{"id":7}');
const pay = called('pay', { amount: 5 }, 'ok');

describe('never_call', () => {
  const check: ExpectationCheck = { form: 'never_call', tools: ['delete_*', 'drop'] };

  it('is broken by each call, by name and by glob, also by one that failed', () => {
    expect(broken(check, [ask, called('drop', {}, 'ok'), failed('delete_all', {}, 'denied'), get])).toEqual([1, 3]);
  });

  it('holds for other tools, also those whose names begin alike', () => {
    expect(
      broken(check, [ask, called('dropdown', {}, ''), called('Drop', {}, ''), called('undelete_x', {}, '')]),
    ).toEqual([]);
  });
});

describe('max_calls', () => {
  const check: ExpectationCheck = { form: 'max_calls', tools: ['pay'], count: 2 };

  it('is broken by each call beyond the count', () => {
    expect(broken(check, [ask, repeated(4, () => pay)])).toEqual([5, 7]);
  });

  it('does not count calls that failed, nor other tools', () => {
    const script = [ask, failed('pay', {}, 'timed out'), pay, get, failed('pay', {}, 'timed out'), pay];
    expect(broken(check, script)).toEqual([]);
  });

  it('counts calls of one step one by one', () => {
    const three = calls(...Array.from({ length: 3 }, (_, index) => ({ name: 'pay', arguments: { index } })));
    expect(broken(check, [ask, three])).toEqual([1]);
  });
});

describe('requires_first', () => {
  const check: ExpectationCheck = { form: 'requires_first', tools: ['pay', 'refund'], one_of: ['get_user', 'find_*'] };

  it.each<readonly [string, Script, number[]]>([
    ['the other call came before', [ask, get, pay], []],
    ['another of the alternatives came before', [ask, called('find_by_mail', {}, '{}'), pay], []],
    ['it came turns ago', [ask, get, assistant('Hi'), ask, pay, pay], []],
    ['the call is not there', [ask, pay], [1]],
    ['it came too late', [ask, pay, get, pay], [1]],
    ['it had failed', [ask, failed('get_user', {}, 'not found'), pay], [3]],
    ['it failed and then worked', [ask, failed('get_user', {}, 'timed out'), get, pay], []],
    ['its result was not recorded', [ask, calls({ name: 'get_user', arguments: {} }), pay], []],
    [
      'it stands beside the call in one step',
      [ask, calls({ name: 'get_user', arguments: {} }, { name: 'pay', arguments: {} })],
      [1],
    ],
    ['every call that came too early is named', [ask, pay, called('refund', {}, 'ok')], [1, 3]],
  ])('%s', (_, script, steps) => {
    expect(broken(check, script)).toEqual(steps);
  });

  it('for every tool, the first call itself needs nothing before it', () => {
    expect(broken({ form: 'requires_first', tools: ['*'], one_of: ['get_user'] }, [ask, get, pay])).toEqual([]);
  });

  it('says nothing where the beginning is missing', () => {
    expect(broken(check, [ask, pay], { scope: 'traces' })).toEqual([]);
    expect(broken(check, [{ role: 'tool', content: 'x' }, pay])).toEqual([]);
  });

  it('counts the call of another agent, and judges only the calls of the agent it names', () => {
    const named = (script: ScriptedMessage[], name: string): ScriptedMessage[] =>
      script.map((message) => (message.role === 'assistant' ? { ...message, name } : message));
    const ofBilling: ExpectationCheck = { ...check, agent: 'billing' };
    expect(broken(ofBilling, [ask, named(get, 'triage'), named(pay, 'billing')])).toEqual([]);
    expect(broken(ofBilling, [ask, named(pay, 'triage'), named(pay, 'billing')])).toEqual([3]);
  });
});

describe('one_call_at_a_time', () => {
  const check: ExpectationCheck = { form: 'one_call_at_a_time' };

  it('is broken by a step with two calls', () => {
    const two = calls({ id: 'a', name: 'get', arguments: 1 }, { id: 'b', name: 'get', arguments: 2 });
    expect(broken(check, [ask, get, two, pay])).toEqual([3]);
  });

  it('holds for calls one after another, and for a call that was recorded twice', () => {
    const twice = calls({ id: 'a', name: 'get', arguments: 1 }, { id: 'a', name: 'get', arguments: 1 });
    expect(broken(check, [ask, get, pay, twice])).toEqual([]);
  });
});

describe('no_words_with_calls', () => {
  const check: ExpectationCheck = { form: 'no_words_with_calls' };
  const withWords = (content: string): Script => [ask, { ...calls({ name: 'get', arguments: {} }), content }];

  it('is broken by a step that calls and speaks, and quotes its words', () => {
    const [violation] = evaluateExpectation({ check }, conversation(withWords('Let me look that up.')));
    expect(violation?.message.index).toBe(1);
    expect(violation?.evidence[0].quote?.quote).toBe('Let me look that up.');
  });

  it.each([
    '',
    ' \n',
    '...',
    'null',
    'None',
    '<thinking>I need the id.</thinking>',
    '<think>I need <thought>the</thought> id.</think>',
    'Thought: I need the id.',
  ])('holds where nobody is spoken to: %j', (content) => {
    expect(broken(check, withWords(content))).toEqual([]);
  });

  it('holds for words in a step of their own', () => {
    expect(broken(check, [ask, assistant('One moment.'), get, assistant('Done.')])).toEqual([]);
  });
});
