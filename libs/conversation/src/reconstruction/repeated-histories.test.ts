import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, calling, result, system, told, toolRun, user } from './test-support/spans.ts';

const history = [
  user('Q1'),
  assistant('A1'),
  user('Q2'),
  assistant('A2'),
  user('Q3'),
  assistant('A3'),
  user('Q4'),
  assistant('A4'),
];
const plain = [
  'user: Q1',
  'assistant: A1',
  'user: Q2',
  'assistant: A2',
  'user: Q3',
  'assistant: A3',
  'user: Q4',
  'assistant: A4',
];
/** Builds one call per turn, each in its own trace, with the part of the history that `window` keeps. */
function turns(window: (turn: number) => typeof history) {
  return [0, 1, 2, 3].map((turn) =>
    call({
      id: `${turn + 1}`,
      trace: `${turn + 1}`,
      at: [turn * 10, turn * 10 + 5],
      input: window(turn),
      output: history.slice(turn * 2 + 1, turn * 2 + 2),
    }),
  );
}

describe('a history that every call repeats', () => {
  it('gives each message once, at the span where it first appeared', () => {
    const { messages } = assembled(...turns((turn) => history.slice(0, turn * 2 + 1)));
    expect(told({ messages })).toEqual(plain);
    expect(messages.map(({ traceId }) => Number(traceId))).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(messages.map(({ atMs }) => (atMs - 1_700_000_000_000) / 1_000)).toEqual([0, 5, 10, 15, 20, 25, 30, 35]);
  });

  it('keeps messages that say the same at different places', () => {
    const yes = [user('yes'), assistant('ok'), user('yes'), assistant('ok'), user('yes')];
    const calls = [1, 3, 5].map((length, index) =>
      call({ id: `${index + 1}`, at: [index, index + 0.5], input: yes.slice(0, length), output: [assistant('ok')] }),
    );
    expect(told(assembled(...calls))).toEqual([
      'user: yes',
      'assistant: ok',
      'user: yes',
      'assistant: ok',
      'user: yes',
      'assistant: ok',
    ]);
  });

  it('keeps an answer of which no output was recorded, from the next call', () => {
    const first = call({ id: '1', at: [0, 1], input: [user('Q1')] });
    const second = call({ id: '2', at: [2, 3], input: history.slice(0, 3), output: [assistant('A2')] });
    expect(told(assembled(first, second))).toEqual(plain.slice(0, 4));
  });

  it('keeps answers of which no call recorded the output', () => {
    const inputs = [1, 3, 5].map((length, index) =>
      call({ id: `${index + 1}`, at: [index, index + 0.5], input: history.slice(0, length) }),
    );
    expect(told(assembled(...inputs))).toEqual(plain.slice(0, 5));
  });

  it('is whole where the first calls are missing', () => {
    expect(told(assembled(...turns((turn) => history.slice(0, turn * 2 + 1)).slice(2)))).toEqual(plain.slice(0, 8));
  });

  it('takes an answer that was trimmed before it was sent back for the same', () => {
    const first = call({ id: '1', at: [0, 1], input: [user('Q1')], output: [assistant('A1\n')] });
    const second = call({ id: '2', at: [2, 3], input: history.slice(0, 3), output: [assistant('A2')] });
    expect(assembled(first, second).messages.map(({ content }) => content)).toEqual(['Q1', 'A1\n', 'Q2', 'A2']);
  });
});

describe('instructions', () => {
  it('come first, once, wherever they were given', () => {
    const apart = call({
      id: '1',
      at: [0, 1],
      instructions: 'Be brief.',
      input: [user('Q1')],
      output: [assistant('A1')],
    });
    const leading = call({
      id: '2',
      at: [2, 3],
      input: [system('Be brief.'), ...history.slice(0, 3)],
      output: [assistant('A2')],
    });
    expect(told(assembled(apart, leading))).toEqual(['system: Be brief.', ...plain.slice(0, 4)]);
  });

  it('of the first call come before all else that happened', () => {
    const lookup = toolRun({ id: '1', at: [0, 1], tool: 'lookup', response: 'found' });
    const first = call({
      id: '2',
      at: [2, 3],
      instructions: 'Be brief.',
      input: [user('Q1')],
      output: [assistant('A1')],
    });
    expect(told(assembled(lookup, first))).toEqual(['system: Be brief.', 'tool: found', 'user: Q1', 'assistant: A1']);
  });

  it('that change stand where they were first used', () => {
    const first = call({
      id: '1',
      at: [0, 1],
      instructions: 'You triage.',
      input: [user('Q1')],
      output: [calling(['h', 'transfer'])],
    });
    const second = call({
      id: '2',
      at: [2, 3],
      instructions: 'You bill.',
      input: [user('Q1'), calling(['h', 'transfer']), result('h', 'ok')],
      output: [assistant('A1')],
    });
    expect(told(assembled(first, second))).toEqual([
      'system: You triage.',
      'user: Q1',
      'assistant: -> transfer',
      'tool: ok',
      'system: You bill.',
      'assistant: A1',
    ]);
  });
});
