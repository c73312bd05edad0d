import { describe, expect, it } from '@jest/globals';
import { ENDPOINT_SCOPE } from '@clew/contracts';
import { assembled, assistant, call, span, told, user, type CallSketch } from './test-support/spans.ts';

const withId = (id: string, attributes: Record<string, unknown> = {}) => ({ 'gen_ai.response.id': id, ...attributes });
const own = (sketch: CallSketch) => call({ trace: 'e', scopeName: ENDPOINT_SCOPE, ...sketch });
const hi = { input: [user('hi')], output: [assistant('hello')] };
const usage = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 };

describe('a call that two instrumentations record side by side', () => {
  it('is one call with what either of them knows', () => {
    const { messages, usage: counted } = assembled(
      call({ id: '1', at: [0, 2], scopeName: 'one', attributes: withId('r1', usage) }),
      call({ id: '2', at: [0.1, 1.9], scopeName: 'two', ...hi, attributes: withId('r1', usage) }),
    );
    expect(told({ messages })).toEqual(['user: hi', 'assistant: hello']);
    expect(counted).toMatchObject({ inputTokens: 10, outputTokens: 5 });
  });

  it('is one where its output holds the id', () => {
    const attributes = {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.token_count.completion': 5,
      'input.value': '{"messages":[{"role":"user","content":"hi"}]}',
      'output.value': '{"choices":[{"message":{"role":"assistant","content":"hello"}}],"id":"r1"}',
    };
    const { usage: counted } = assembled(
      span({ id: '1', at: [0, 2], attributes }),
      call({ id: '2', at: [3, 4], ...hi, attributes: withId('r1', usage) }),
    );
    expect(counted.outputTokens).toBe(5);
  });

  it('are two where only the id is the same', () => {
    const { usage: counted } = assembled(
      call({ id: '1', at: [0, 2], input: [user('one?')], output: [assistant('yes')], attributes: withId('r1', usage) }),
      call({ id: '2', at: [0, 2], input: [user('two?')], output: [assistant('yes')], attributes: withId('r1', usage) }),
    );
    expect(counted.outputTokens).toBe(10);
  });
});

describe('a call that the endpoint records as well', () => {
  it('has the tokens that the application did not ask for', () => {
    const { usage: counted, models } = assembled(
      call({ id: '1', at: [0, 2], ...hi, attributes: { 'gen_ai.request.model': 'loop/gpt-4o' } }),
      own({ id: '2', at: [0.1, 1.9], ...hi, attributes: { ...usage, 'clew.request.model': 'loop/gpt-4o' } }),
    );
    expect(counted).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(models).toEqual(['loop/gpt-4o']);
  });

  it('does not show what failed before the client tried again', () => {
    const failed = { input: [user('hi')], status: { code: 2 }, attributes: { 'error.type': 'upstream_error' } };
    const conversation = assembled(
      call({ id: '1', at: [0, 9], ...hi, attributes: withId('r1') }),
      own({ id: '2', at: [1, 2], ...failed }),
      own({ id: '3', at: [3, 4], ...failed }),
      own({ id: '4', at: [5, 8], ...hi, attributes: withId('r1', usage) }),
    );
    expect(told(conversation)).toEqual(['user: hi', 'assistant: hello']);
    expect(conversation).toMatchObject({ errorCount: 0, usage: { outputTokens: 5 } });
  });

  it('failed once where both say that it failed', () => {
    const failed = { input: [user('hi')], status: { code: 2 } };
    const conversation = assembled(
      call({ id: '1', at: [0, 2], ...failed, attributes: { 'error.type': 'BadRequestError' } }),
      own({ id: '2', at: [0.5, 1], ...failed, attributes: { 'error.type': 'upstream_error' } }),
    );
    expect(told(conversation)).toEqual(['user: hi', 'assistant:  [BadRequestError]']);
    expect(conversation.errorCount).toBe(1);
  });

  it('stays beside one that asked something else at the same time', () => {
    const conversation = assembled(
      call({ id: '1', at: [0, 2], ...hi }),
      own({ id: '2', at: [0, 2], input: [user('who?')], output: [assistant('hello')] }),
    );
    expect(told(conversation)).toEqual(['user: hi', 'assistant: hello', 'user: who?', 'assistant: hello']);
  });

  it('is found among very many that ask and answer the same', () => {
    const calls = Array.from({ length: 300 }, (_, index) => {
      const at: [number, number] = [index * 20, index * 20 + 1];
      return [
        call({ id: index.toString(16), at, ...hi, attributes: usage }),
        own({ id: index.toString(16), at, ...hi, attributes: usage }),
      ];
    });
    expect(assembled(...calls.flat()).usage.outputTokens).toBe(300 * 5);
  });
});
