import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, calling, result, system, told, toolRun, user } from './testing/spans.ts';

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

/** One call a turn, a trace each, with what `window` keeps of the history. */
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

describe('calls that send only what is new', () => {
  it('are joined in time order, and two that say the same are two turns', () => {
    const spans = [0, 1].map((turn) =>
      call({ id: `${turn + 1}`, at: [turn * 2, turn * 2 + 1], input: [user('hi')], output: [assistant('hello')] }),
    );
    expect(told(assembled(...spans))).toEqual(['user: hi', 'assistant: hello', 'user: hi', 'assistant: hello']);
  });

  it('are one conversation where the instructions came only once', () => {
    const first = call({
      id: '1',
      at: [0, 1],
      instructions: 'Be brief.',
      input: [user('hi')],
      output: [assistant('hello')],
    });
    const second = call({ id: '2', at: [2, 3], input: [user('hi')], output: [assistant('hello')] });
    expect(told(assembled(first, second))).toEqual([
      'system: Be brief.',
      'user: hi',
      'assistant: hello',
      'user: hi',
      'assistant: hello',
    ]);
  });

  it('keep their order where a span ended late', () => {
    const first = call({ id: '1', at: [0, 5], input: [user('one')], output: [assistant('1')] });
    const second = call({ id: '2', at: [2, 3], input: [user('two')], output: [assistant('2')] });
    expect(told(assembled(first, second))).toEqual(['user: one', 'assistant: 1', 'user: two', 'assistant: 2']);
  });

  it('follow the response that they name, so that the same words in one place are one question', () => {
    const linked = (id: string, at: [number, number], answer: string, previous?: string) =>
      call({
        id,
        at,
        input: [user('Q')],
        output: [assistant(answer)],
        attributes: {
          'gen_ai.response.id': id,
          ...(previous === undefined ? {} : { 'gen_ai.request.previous_response.id': previous }),
        },
      });
    const spans = [
      linked('1', [0, 1], 'A'),
      linked('2', [2, 3], 'B', '1'),
      linked('3', [4, 5], 'C', '1'),
      linked('4', [6, 7], 'D', '2'),
    ];
    expect(told(assembled(...spans))).toEqual([
      'user: Q',
      'assistant: A',
      'user: Q',
      'assistant: B',
      'assistant: C',
      'user: Q',
      'assistant: D',
    ]);
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
