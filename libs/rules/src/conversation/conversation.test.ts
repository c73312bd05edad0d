import { describe, expect, it } from '@jest/globals';
import { assistant, called, calls, conversation, user, type ScriptedMessage } from '../test-support/conversation.ts';
import { messageSentences } from './message-sentences.ts';
import { argumentsKey, jsonText, toolExchangesOf } from './tool-exchanges.ts';
import { toolCharacter } from './tool-names.ts';
import { agentOf, turnsOf } from './turns.ts';

function pairs(
  script: readonly (ScriptedMessage | ScriptedMessage[])[],
): (readonly [string, unknown, string | undefined])[] {
  return toolExchangesOf(conversation(script).messages).map(
    (exchange) => [exchange.toolName, exchange.call?.arguments, exchange.result?.content] as const,
  );
}
const result = (content: string, extra: Partial<ScriptedMessage> = {}): ScriptedMessage => ({
  role: 'tool',
  content,
  ...extra,
});

describe('toolExchangesOf', () => {
  it('pairs by call id, in whatever order the results come', () => {
    const script = [
      calls({ id: 'a', name: 'get', arguments: 1 }, { id: 'b', name: 'get', arguments: 2 }),
      result('second', { toolCallId: 'b', name: 'get' }),
      result('first', { toolCallId: 'a', name: 'get' }),
    ];
    expect(pairs(script)).toEqual([
      ['get', 1, 'first'],
      ['get', 2, 'second'],
    ]);
  });

  it('pairs by name, and else by order, where there are no ids', () => {
    const both = calls({ name: 'get', arguments: 1 }, { name: 'put', arguments: 2 });
    expect(pairs([both, result('put', { name: 'put' }), result('get', { name: 'get' })])).toEqual([
      ['get', 1, 'get'],
      ['put', 2, 'put'],
    ]);
    expect(pairs([both, result('one'), result('two')])).toEqual([
      ['get', 1, 'one'],
      ['put', 2, 'two'],
    ]);
  });

  it('an id that is used again in a later turn belongs to the later call', () => {
    const once = (content: string): ScriptedMessage[] => [
      calls({ id: 'a', name: 'get', arguments: content }),
      result(content, { toolCallId: 'a' }),
    ];
    expect(pairs([once('x'), once('y')])).toEqual([
      ['get', 'x', 'x'],
      ['get', 'y', 'y'],
    ]);
  });

  it('keeps a call without a result, and a result without a call', () => {
    expect(pairs([result('alone', { name: 'get' }), calls({ id: 'a', name: 'put', arguments: 1 })])).toEqual([
      ['get', undefined, 'alone'],
      ['put', 1, undefined],
    ]);
  });
});

describe('argumentsKey', () => {
  const key = (value: unknown): string => argumentsKey({ name: 'get', arguments: value });

  it('is equal for equal arguments in any order, case and spacing, and only for those', () => {
    expect(key({ a: 1, b: 'X  y' })).toBe(key({ b: 'x y', a: 1 }));
    expect(key({ a: 1 })).not.toBe(key({ a: 2 }));
    expect(key('x'.repeat(1000))).toHaveLength(64);
  });

  it('survives what canonical JSON refuses', () => {
    expect(jsonText(undefined)).toBe('');
    expect(jsonText(Number.NaN)).toBe('NaN');
  });
});

describe('turnsOf', () => {
  it('a request that is repeated after the result of a tool goes on, and one that is asked again after an answer begins anew', () => {
    const request = user('Where is the dinner?');
    const script = [
      request,
      called('search', {}, 'none'),
      request,
      assistant('In the city.'),
      request,
      assistant('There.'),
    ];
    const read = turnsOf(conversation(script)).map((turn) => turn.messages.map(({ role }) => role));
    expect(read).toEqual([['assistant', 'tool', 'assistant'], ['assistant']]);
  });

  it('a turn begins with a message of the user; system messages belong to none', () => {
    const snapshot = conversation([
      { role: 'system', content: 'Be kind' },
      assistant('Hi'),
      user('A'),
      called('get', {}, 1),
      assistant('B'),
      user('C'),
    ]);
    const read = turnsOf(snapshot).map((turn) => [turn.userMessage?.content, turn.messages.length]);
    expect(read).toEqual([
      [undefined, 1],
      ['A', 3],
      ['C', 0],
    ]);
  });

  it('what several Rules read in a conversation is made out once for all of them', () => {
    const snapshot = conversation([user('Hello. How are you?'), assistant('Fine.')]);
    const [turn] = turnsOf(snapshot);
    expect(turnsOf(snapshot)[0]).toBe(turn);
    expect(toolExchangesOf(turn!.messages)).toBe(toolExchangesOf(turn!.messages));
    expect(messageSentences(turn!.userMessage!)).toBe(messageSentences(turn!.userMessage!));
    expect(turnsOf(structuredClone(snapshot))).toEqual(turnsOf(snapshot));
  });

  it('the agent is the speaker, else the agent of the conversation', () => {
    const snapshot = conversation([assistant('Hi', { name: 'planner' }), assistant('Hi')]);
    expect(snapshot.messages.map((message) => agentOf(snapshot, message))).toEqual(['planner', 'assistant']);
  });
});

describe('toolCharacter', () => {
  it.each<readonly [string, string[]]>([
    ['get_order', ['reads']],
    ['update_order', ['changes']],
    ['updateOrder', ['changes']],
    ['orders.cancel', ['changes']],
    ['send_email', ['changes', 'notifies']],
    ['transfer_to_human_agents', ['changes', 'handsOver']],
    ['respond_to_user', ['answers']],
    ['ask_user', ['reads', 'answers']],
    ['end_conversation', ['answers']],
    ['send_invoice', ['changes']],
    ['exchange_items', ['changes']],
    ['enable_roaming', ['changes']],
    ['wait_for_job', ['repeats']],
    ['scroll_down', ['repeats']],
    ['think', ['reads', 'notifies']],
    ['', []],
  ])('%s', (name, traits) => {
    const character = toolCharacter(name);
    expect(Object.entries(character).flatMap(([trait, isSo]) => (isSo ? [trait] : []))).toEqual(traits);
  });
});
