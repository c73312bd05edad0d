import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, told, user } from './test-support/spans.ts';

const failure = { status: { code: 2, message: 'Too many requests' }, attributes: { 'error.type': 'RateLimitError' } };

describe('a model call that failed', () => {
  it('is an empty answer with its error where nothing answered later', () => {
    const first = call({ id: '1', at: [0, 1], input: [user('hi')], output: [assistant('hello')] });
    const second = call({ id: '2', at: [2, 3], input: [user('hi'), assistant('hello'), user('more')], ...failure });
    const { messages, errorCount } = assembled(first, second);
    expect(told({ messages })).toEqual(['user: hi', 'assistant: hello', 'user: more', 'assistant:  [RateLimitError]']);
    expect(messages.at(-1)?.error).toEqual({ type: 'RateLimitError', message: 'Too many requests' });
    expect(errorCount).toBe(1);
  });

  it.each(['full', 'incremental'])('shows nothing twice when it was retried (%s history)', (history) => {
    const before = history === 'full' ? [user('Q0'), assistant('A0')] : [];
    const spans = [
      call({ id: '1', at: [0, 1], input: [user('Q0')], output: [assistant('A0')] }),
      call({ id: '2', at: [2, 3], input: [...before, user('hi')], ...failure }),
      call({ id: '3', at: [4, 5], input: [...before, user('hi')], ...failure }),
      call({ id: '4', at: [6, 7], input: [...before, user('hi')], output: [assistant('hello')] }),
    ];
    const assembly = assembled(...spans);
    expect(told(assembly)).toEqual(['user: Q0', 'assistant: A0', 'user: hi', 'assistant: hello']);
    expect(assembly.errorCount).toBe(2);
  });

  it('stays where the person went on without an answer', () => {
    const first = call({ id: '1', at: [0, 1], input: [user('hi')], ...failure });
    const second = call({ id: '2', at: [2, 3], input: [user('hi'), user('hello?')], output: [assistant('Yes.')] });
    expect(told(assembled(first, second))).toEqual([
      'user: hi',
      'assistant:  [RateLimitError]',
      'user: hello?',
      'assistant: Yes.',
    ]);
  });

  it('marks the answer that had begun', () => {
    const { messages } = assembled(
      call({ id: '1', at: [0, 1], input: [user('hi')], output: [assistant('Hel')], ...failure }),
    );
    expect(told({ messages })).toEqual(['user: hi', 'assistant: Hel [RateLimitError]']);
  });
});

describe('an empty answer', () => {
  it('is a message with its finish reason', () => {
    const empty = { role: 'assistant', parts: [], finish_reason: 'length' };
    const { messages } = assembled(call({ id: '1', at: [0, 1], input: [user('hi')], output: [empty] }));
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: '', finishReason: 'length' });
  });

  it('is known from the finish reason alone where the output was left out', () => {
    const attributes = { 'gen_ai.response.finish_reasons': ['length'] };
    const { messages } = assembled(call({ id: '1', at: [0, 1], input: [user('hi')], attributes }));
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: '', finishReason: 'length' });
  });

  it('is not made up where the output was merely not recorded', () => {
    const attributes = { 'gen_ai.response.finish_reasons': ['stop'], 'gen_ai.usage.output_tokens': 20 };
    expect(told(assembled(call({ id: '1', at: [0, 1], input: [user('hi')], attributes })))).toEqual(['user: hi']);
  });
});
