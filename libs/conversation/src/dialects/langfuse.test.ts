import { describe, expect, it } from '@jest/globals';
import { reading } from './test-support/sketch.ts';

const calls = [{ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"q":"a"}' } }];

describe('Langfuse', () => {
  it('a generation has chat messages, with or without the tools beside them', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Find it' },
    ];
    const tools = [{ type: 'function', function: { name: 'search', parameters: {} } }];
    const generation = {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.observation.output': JSON.stringify({ role: 'assistant', tool_calls: calls, content: null }),
      'langfuse.observation.usage_details': '{"input": 12, "output": 3, "total": 15}',
    };
    const expected = {
      kind: 'model_call',
      model: 'gpt-4o',
      usage: { inputTokens: 12, outputTokens: 3 },
      input: messages,
      output: [
        { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'search', arguments: { q: 'a' } }] },
      ],
    };
    expect(reading({ ...generation, 'langfuse.observation.input': JSON.stringify(messages) })).toMatchObject({
      ...expected,
      toolDefinitions: [],
    });
    expect(reading({ ...generation, 'langfuse.observation.input': JSON.stringify({ tools, messages }) })).toMatchObject(
      {
        ...expected,
        toolDefinitions: [{ name: 'search', parameters: {} }],
      },
    );
  });

  it('a generation may have plain texts', () => {
    const read = reading({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': 'Say hi',
      'langfuse.observation.output': 'hi',
    });
    expect(read).toMatchObject({
      input: [{ role: 'user', content: 'Say hi' }],
      output: [{ role: 'assistant', content: 'hi' }],
    });
  });

  it('tools that a LangChain handler put among the messages are definitions', () => {
    const input = [
      { role: 'user', content: 'Find it' },
      { role: 'tool', content: { type: 'function', function: { name: 'search', parameters: {} } } },
    ];
    const read = reading({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': JSON.stringify(input),
    });
    expect(read).toMatchObject({
      input: [{ role: 'user', content: 'Find it' }],
      toolDefinitions: [{ name: 'search' }],
    });
  });

  it('a tool has its name from the span, and its result as it is', () => {
    const run = { 'langfuse.observation.type': 'tool', 'langfuse.observation.input': '{"q": "a"}' };
    const tool = (output: string) =>
      reading({ ...run, 'langfuse.observation.output': output }, { name: 'search' }).tool;
    expect(tool('{"hits": 2}')).toEqual({
      name: 'search',
      arguments: { q: 'a' },
      result: '{"hits": 2}',
      hasResult: true,
    });
    expect(tool('{"content": "found", "type": "tool", "tool_call_id": "c"}')?.result).toBe('found');
    expect(tool('')).toMatchObject({ result: '', hasResult: true });
  });

  it('a level of ERROR is an error', () => {
    const failed = {
      'langfuse.observation.type': 'tool',
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'no connection',
    };
    expect(reading(failed).error).toEqual({ type: 'error', message: 'no connection' });
  });

  it('the root of a trace has what went into the trace and what came out', () => {
    const trace = {
      'langfuse.observation.type': 'span',
      'langfuse.trace.input': '{"question": "Where?"}',
      'langfuse.trace.output':
        '{"messages": [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": "Here."}]}',
    };
    expect(reading(trace)).toMatchObject({
      kind: 'other',
      input: [{ role: 'user', content: 'Where?' }],
      output: [{ role: 'assistant', content: 'Here.' }],
    });
  });

  it('a span with a model is a generation, as early SDKs wrote it', () => {
    expect(reading({ 'langfuse.observation.type': 'span', 'langfuse.observation.model.name': 'gpt-4o' }).kind).toBe(
      'model_call',
    );
  });
});
