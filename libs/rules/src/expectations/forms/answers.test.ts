import { describe, expect, it } from '@jest/globals';
import type { ConversationSnapshot, ExpectationCheck } from '@clew/contracts';
import { assistant, called, calls, conversation, user, type ScriptedMessage } from '../../test-support/conversation.ts';
import { evaluateExpectation } from '../evaluate-expectation.ts';

type Script = readonly (ScriptedMessage | ScriptedMessage[])[];

function broken(check: ExpectationCheck, script: Script, overrides: Partial<ConversationSnapshot> = {}): number[] {
  return evaluateExpectation({ check }, conversation(script, overrides)).map(({ message }) => message.index);
}

const ask = user('Hello');

describe('answer_matches', () => {
  const check: ExpectationCheck = { form: 'answer_matches', pattern: '(?i)^dear customer' };

  it('is broken by each answer that does not match', () => {
    expect(broken(check, [ask, assistant('Dear customer, hi'), ask, assistant('Hi'), ask, assistant('Hey')])).toEqual([
      3, 5,
    ]);
  });

  it('reads no message that goes on to call a tool, that failed, is empty or has expired, nor those of others', () => {
    const script: Script = [
      ask,
      { ...calls({ name: 'get', arguments: {} }), content: 'Let me see' },
      { role: 'tool', content: 'Hi' },
      assistant(''),
      assistant('Hi', { error: { type: 'timeout', message: 'x' } }),
      assistant('', { textExpired: true }),
      assistant('Dear customer'),
    ];
    expect(broken(check, script)).toEqual([]);
  });

  it('reads both ends of a long answer', () => {
    const long = assistant(`Dear customer ${'x '.repeat(50_000)} Bye`);
    expect(broken({ form: 'answer_matches', pattern: '(?s)^Dear.*Bye$' }, [ask, long])).toEqual([]);
    expect(broken({ form: 'answer_matches', pattern: 'Good bye$' }, [ask, long])).toEqual([1]);
  });
});

describe('answer_never_matches', () => {
  const check: ExpectationCheck = { form: 'answer_never_matches', pattern: '(?i)as an ai' };

  it('is broken by each message that holds it, also beside a call, and quotes it', () => {
    const script: Script = [
      ask,
      { ...calls({ name: 'get', arguments: {} }), content: 'As an AI, I look it up.' },
      { role: 'tool', content: 'as an ai' },
      assistant('Well, as an ai I like it.'),
    ];
    const violations = evaluateExpectation({ check }, conversation(script));
    expect(violations.map(({ message, evidence }) => [message.index, evidence[0].quote?.quote])).toEqual([
      [1, 'As an AI'],
      [3, 'as an ai'],
    ]);
  });

  it('holds for what the user says', () => {
    expect(broken(check, [user('As an AI, can you?'), assistant('Yes')])).toEqual([]);
  });

  it('finds it at the end of a long message', () => {
    expect(broken(check, [ask, assistant(`${'x '.repeat(50_000)} as an AI`)])).toEqual([1]);
  });
});

describe('ends_with', () => {
  const words: ExpectationCheck = { form: 'ends_with', pattern: 'Bye\\W*$' };
  const call: ExpectationCheck = { form: 'ends_with', tools: ['close_*'] };
  const close = called('close_ticket', {}, 'ok');

  it('reads the last answer only', () => {
    expect(broken(words, [ask, assistant('Hi'), ask, assistant('Bye!')])).toEqual([]);
    expect(broken(words, [ask, assistant('Bye!'), ask, assistant('Hi')])).toEqual([3]);
  });

  it('is broken where the last call is another one, or none', () => {
    expect(broken(call, [ask, close, assistant('Done.')])).toEqual([]);
    expect(broken(call, [ask, close, called('get', {}, 'x'), assistant('Done.')])).toEqual([5]);
    expect(broken(call, [ask, assistant('Done.')])).toEqual([1]);
  });

  it('asks for both where both are given', () => {
    const both: ExpectationCheck = { form: 'ends_with', tools: ['close_*'], pattern: 'Bye\\W*$' };
    expect(broken(both, [ask, close, assistant('Bye.')])).toEqual([]);
    expect(broken(both, [ask, close, assistant('Done.')])).toEqual([3]);
    expect(broken(both, [ask, assistant('Bye.')])).toEqual([1]);
  });

  it.each<readonly [string, Script, Partial<ConversationSnapshot>]>([
    ['a part of a conversation', [ask, assistant('Hi')], { scope: 'prefix' }],
    ['a conversation that was cut', [ask, assistant('Hi')], { truncated: true }],
    ['a conversation without an answer', [ask], {}],
  ])('says nothing about %s', (_, script, overrides) => {
    expect(broken(words, script, overrides)).toEqual([]);
    expect(broken(call, script, overrides)).toEqual([]);
  });

  it('does not ask for a last call while the agent waits for an answer', () => {
    expect(broken(call, [ask, assistant('What is your order number?')])).toEqual([]);
    expect(broken(call, [ask, assistant('Hi.'), user('One moment')])).toEqual([]);
  });
});
