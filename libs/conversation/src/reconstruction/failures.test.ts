import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, span, told, user } from './test-support/spans.ts';

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

describe('a model call that failed and recorded nothing', () => {
  it('is an empty answer with its error', () => {
    const { messages, hasSteps } = assembled(call({ id: '1', at: [0, 1], ...failure }));
    expect(told({ messages })).toEqual(['assistant:  [RateLimitError]']);
    expect(hasSteps).toBe(true);
  });

  it('stands behind what was said before it', () => {
    const first = call({ id: '1', at: [0, 1], input: [user('hi')], output: [assistant('hello')] });
    const second = call({ id: '2', at: [2, 3], ...failure });
    expect(told(assembled(first, second))).toEqual(['user: hi', 'assistant: hello', 'assistant:  [RateLimitError]']);
  });

  it('is told once where two instrumentations stand around each other', () => {
    const outer = call({ id: '1', at: [0, 3], ...failure });
    const inner = call({ id: '2', parent: '1', at: [1, 2], ...failure });
    expect(told(assembled(outer, inner))).toEqual(['assistant:  [RateLimitError]']);
  });

  it('is left to the span around it that knows what was asked', () => {
    const attributes = { 'openinference.span.kind': 'CHAIN', 'input.value': 'hi' };
    const run = span({ id: '1', at: [0, 3], attributes, status: failure.status });
    const inner = call({ id: '2', parent: '1', at: [1, 2], ...failure });
    expect(told(assembled(run, inner))).toEqual(['user: hi', 'assistant:  [error]']);
  });

  it('does not take from the span around it what that says', () => {
    const attributes = {
      'openinference.span.kind': 'CHAIN',
      'input.value': 'hi',
      'output.value': 'A second try: hello',
    };
    const run = span({ id: '1', at: [0, 3], attributes });
    const inner = call({ id: '2', parent: '1', at: [1, 2], ...failure });
    expect(told(assembled(run, inner))).toEqual(['user: hi', 'assistant: A second try: hello']);
  });

  it('ends where spans are each other’s parents', () => {
    const spans = [['1', '2'] as const, ['2', '1'] as const].map(([id, parent]) =>
      call({ id, parent, at: [0, 1], ...failure }),
    );
    expect(assembled(...spans).errorCount).toBeLessThanOrEqual(1);
  });
});

describe('what holds no chat', () => {
  it('has no step: a list of models, and embeddings', () => {
    const models = {
      'openinference.span.kind': 'LLM',
      'input.value': '{}',
      'output.value': '{"object":"list","data":[{"id":"tiny","object":"model"}]}',
    };
    const embeddings = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': 'e', 'error.type': 'timeout' };
    const { messages, hasSteps, spanCount } = assembled(
      span({ id: '1', at: [0, 1], attributes: models }),
      span({ id: '2', at: [2, 3], attributes: embeddings }),
    );
    expect({ messages, hasSteps, spanCount }).toEqual({ messages: [], hasSteps: false, spanCount: 2 });
  });

  it('is part of a conversation all the same, and says nothing in it', () => {
    const chat = call({ id: '1', at: [0, 1], input: [user('hi')], output: [assistant('hello')] });
    const attributes = { 'openinference.span.kind': 'LLM', 'output.value': '{"object":"list","data":[]}' };
    const { messages, spanCount } = assembled(chat, span({ id: '2', at: [2, 3], attributes }));
    expect(told({ messages })).toEqual(['user: hi', 'assistant: hello']);
    expect(spanCount).toBe(2);
  });

  it('has a step where a call was merely not recorded, a tool ran, or an agent', () => {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' };
    const agent = { 'gen_ai.operation.name': 'invoke_agent' };
    const steps = [
      call({ id: '1', at: [0, 1] }),
      ...[tool, agent].map((attributes) => span({ id: '1', at: [0, 1], attributes })),
    ];
    expect(steps.map((step) => assembled(step).hasSteps)).toEqual([true, true, true]);
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
