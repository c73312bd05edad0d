import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, calling, result, told, user } from './test-support/spans.ts';

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
const isCompacted = { 'gen_ai.conversation.compacted': true };

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

describe('a history that was cut off or replaced', () => {
  it('of which only the last messages are sent adds only what is new', () => {
    expect(told(assembled(...turns((turn) => history.slice(Math.max(0, turn * 2 - 2), turn * 2 + 1))))).toEqual(plain);
  });

  it('of which the first message stays pinned adds only what is new', () => {
    const window = (turn: number) =>
      turn < 2 ? history.slice(0, turn * 2 + 1) : [user('Q1'), ...history.slice(turn * 2 - 2, turn * 2 + 1)];
    expect(told(assembled(...turns(window)))).toEqual(plain);
  });

  it('of which a summary replaces the beginning keeps the beginning, and the summary once', () => {
    const summary = user('Summary: Q1 was answered.');
    const spans = [
      call({ id: '1', at: [0, 1], input: history.slice(0, 1), output: [assistant('A1')] }),
      call({ id: '2', at: [2, 3], input: history.slice(0, 3), output: [assistant('A2')] }),
      call({
        id: '3',
        at: [4, 5],
        input: [summary, ...history.slice(2, 5)],
        output: [assistant('A3')],
        attributes: isCompacted,
      }),
      call({
        id: '4',
        at: [6, 7],
        input: [summary, ...history.slice(2, 7)],
        output: [assistant('A4')],
        attributes: isCompacted,
      }),
    ];
    expect(told(assembled(...spans))).toEqual([
      ...plain.slice(0, 4),
      'user: Summary: Q1 was answered.',
      ...plain.slice(4),
    ]);
  });

  it('of which old tool results were cleared does not show the cleared ones', () => {
    const asked = [user('Q1'), calling(['c1', 'search']), result('c1', 'a long list'), assistant('A1')];
    const cleared = [user('Q1'), calling(['c1', 'search']), result('c1', '[cleared]'), assistant('A1'), user('Q2')];
    const spans = [
      call({ id: '1', at: [0, 1], input: asked.slice(0, 1), output: asked.slice(1, 2) }),
      call({ id: '2', at: [2, 3], input: asked.slice(0, 3), output: asked.slice(3) }),
      call({ id: '3', at: [4, 5], input: cleared, output: [assistant('A2')] }),
    ];
    expect(told(assembled(...spans))).toEqual([
      'user: Q1',
      'assistant: -> search',
      'tool: a long list',
      'assistant: A1',
      'user: Q2',
      'assistant: A2',
    ]);
  });

  it('of which questions lose the documents that they were sent with shows each question once', () => {
    const asked = (turn: number) => user(`Documents: ${turn}. Question: Q${turn}`);
    const spans = [
      call({ id: '1', at: [0, 1], input: [asked(1)], output: [assistant('A1')] }),
      call({ id: '2', at: [2, 3], input: [user('Q1'), assistant('A1'), asked(2)], output: [assistant('A2')] }),
      call({ id: '3', at: [4, 5], input: [...history.slice(0, 4), asked(3)], output: [assistant('A3')] }),
      call({ id: '4', at: [6, 7], input: [...history.slice(0, 6), asked(4)], output: [assistant('A4')] }),
    ];
    expect(told(assembled(...spans))).toEqual(
      [1, 2, 3, 4].flatMap((turn) => [`user: Documents: ${turn}. Question: Q${turn}`, `assistant: A${turn}`]),
    );
  });
});

describe('a history that branches', () => {
  it('shows both answers where one was regenerated, and goes on with either', () => {
    const spans = [
      call({ id: '1', at: [0, 1], input: [user('Q1')], output: [assistant('A1')] }),
      call({ id: '2', at: [2, 3], input: history.slice(0, 3), output: [assistant('A2')] }),
      call({ id: '3', at: [4, 5], input: history.slice(0, 3), output: [assistant('A2 again')] }),
      call({ id: '4', at: [6, 7], input: [...history.slice(0, 4), user('Q3')], output: [assistant('A3')] }),
    ];
    expect(told(assembled(...spans))).toEqual([...plain.slice(0, 4), 'assistant: A2 again', ...plain.slice(4, 6)]);
  });

  it('shows an edited message and its answer once, and what was said before it too', () => {
    const spans = [
      call({ id: '1', at: [0, 1], input: [user('Q1')], output: [assistant('A1')] }),
      call({ id: '2', at: [2, 3], input: history.slice(0, 3), output: [assistant('A2')] }),
      call({ id: '3', at: [4, 5], input: [...history.slice(0, 2), user('Q2, edited')], output: [assistant('A2b')] }),
      call({ id: '4', at: [6, 7], input: [user('Q1, edited')], output: [assistant('A1b')] }),
      call({
        id: '5',
        at: [8, 9],
        input: [user('Q1, edited'), assistant('A1b'), user('Q5')],
        output: [assistant('A5')],
      }),
    ];
    expect(told(assembled(...spans))).toEqual([
      ...plain.slice(0, 4),
      'user: Q2, edited',
      'assistant: A2b',
      'user: Q1, edited',
      'assistant: A1b',
      'user: Q5',
      'assistant: A5',
    ]);
  });

  it('shows all choices of one answer', () => {
    const first = call({ id: '1', at: [0, 1], input: [user('Q1')], output: [assistant('one'), assistant('two')] });
    const second = call({
      id: '2',
      at: [2, 3],
      input: [user('Q1'), assistant('two'), user('Q2')],
      output: [assistant('A2')],
    });
    expect(told(assembled(first, second))).toEqual([
      'user: Q1',
      'assistant: one',
      'assistant: two',
      'user: Q2',
      'assistant: A2',
    ]);
  });
});
