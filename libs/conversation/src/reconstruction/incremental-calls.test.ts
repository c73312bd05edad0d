import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, told, user } from './test-support/spans.ts';

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
