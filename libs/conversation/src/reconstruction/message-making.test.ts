import { describe, expect, it } from '@jest/globals';
import type { StoredSpan } from '../dialects/index.ts';
import { assembled, assistant, call, result, span, toolRun, user } from './test-support/spans.ts';

const usage = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 2 };
const made = (...spans: StoredSpan[]) =>
  assembled(...spans).messages.map(({ model, usage: tokens, durationMs }) => [model, tokens?.inputTokens, durationMs]);

describe('what made a message', () => {
  it('is the call that gave it, and nothing where a person or a system said it', () => {
    const attributes = {
      ...usage,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.reasoning.output_tokens': 1,
    };
    const { messages } = assembled(
      call({
        id: '1',
        at: [0, 2],
        instructions: 'Be brief',
        input: [user('Hi')],
        output: [assistant('Hello')],
        attributes,
      }),
    );
    expect(messages.map((message) => 'model' in message || 'durationMs' in message)).toEqual([false, false, true]);
    expect(messages[2]).toMatchObject({
      model: 'gpt-4o',
      durationMs: 2_000,
      usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, reasoningTokens: 1 },
    });
  });

  it('is the call that gave an answer, not the ones that repeat it', () => {
    const asking = call({ id: '1', at: [0, 1], input: [user('Hi')], output: [assistant('Hello')], attributes: usage });
    const later = call({
      id: '2',
      at: [1, 6],
      input: [user('Hi'), assistant('Hello'), user('And?')],
      output: [assistant('Fine')],
    });
    expect(made(later, asking)).toEqual([
      [undefined, undefined, undefined],
      ['gpt-4o', 10, 1_000],
      [undefined, undefined, undefined],
      ['gpt-4o', undefined, 5_000],
    ]);
  });

  it('counts once for several choices: the tokens and the time stand at the last one', () => {
    const output = [assistant('Yes'), assistant('No')];
    expect(made(call({ id: '1', at: [0, 1], input: [user('Hi')], output, attributes: usage })).slice(1)).toEqual([
      ['gpt-4o', undefined, undefined],
      ['gpt-4o', 10, 1_000],
    ]);
  });

  it('is the call also of an answer that a failed call did not give', () => {
    const failed = call({ id: '1', at: [0, 1], input: [user('Hi')], status: { code: 2 }, attributes: usage });
    expect(made(failed)[1]).toEqual(['gpt-4o', 10, 1_000]);
  });

  it('is what the span around says where the same call was recorded twice, and only the outer one has it', () => {
    const outer = call({ id: '1', at: [0, 2], attributes: usage });
    const inner = call({ id: '2', parent: '1', at: [0, 1], input: [user('Hi')], output: [assistant('Hello')] });
    expect(made(outer, inner)[1]).toEqual(['gpt-4o', 10, 1_000]);
  });

  it('has no duration where the end was not recorded', () => {
    expect(made(call({ id: '1', at: [1, 1], input: [user('Hi')], output: [assistant('Hello')] }))[1]).toEqual([
      'gpt-4o',
      undefined,
      undefined,
    ]);
  });

  it('is the run of the tool for its result, whether a history has the result or only the span', () => {
    const run = toolRun({ id: '2', at: [1, 4], tool: 'search', callId: 'c1', response: 'A' });
    const next = call({ id: '3', at: [5, 6], input: [result('c1', 'A')], output: [assistant('Found')] });
    expect(made(run)).toEqual([[undefined, undefined, 3_000]]);
    expect(made(run, next)[0]).toEqual([undefined, undefined, 3_000]);
    expect(made(next)[0]).toEqual([undefined, undefined, undefined]);
  });

  it('leaves out counts that are no counts', () => {
    const attributes = { 'gen_ai.usage.input_tokens': 1.5, 'gen_ai.usage.output_tokens': 3 };
    const { messages } = assembled(
      call({ id: '1', at: [0, 1], input: [user('Hi')], output: [assistant('Hello')], attributes }),
    );
    expect(messages[1]?.usage).toEqual({ outputTokens: 3 });
  });

  it('is nothing of the run of an agent whose calls recorded what was said', () => {
    const agent = span({ id: '1', at: [0, 9], attributes: { 'gen_ai.operation.name': 'invoke_agent', ...usage } });
    const inner = call({ id: '2', parent: '1', at: [0, 1], input: [user('Hi')], output: [assistant('Hello')] });
    expect(made(agent, inner)[1]).toEqual(['gpt-4o', undefined, 1_000]);
  });
});
