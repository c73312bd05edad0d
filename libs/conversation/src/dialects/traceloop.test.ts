import { describe, expect, it } from '@jest/globals';
import { reading } from './test-support/sketch.ts';

describe('Traceloop', () => {
  it('prompts and completions are read from their indexed keys; left out content was empty', () => {
    const read = reading({
      'llm.request.type': 'chat',
      'gen_ai.system': 'OpenAI',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'Be brief.',
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content':
        '[{"type": "text", "text": "What is on it?"}, {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]',
      'gen_ai.prompt.2.role': 'assistant',
      'gen_ai.prompt.2.tool_calls.0.id': 'call_1',
      'gen_ai.prompt.2.tool_calls.0.name': 'look',
      'gen_ai.prompt.2.tool_calls.0.arguments': '{"deep": true}',
      'gen_ai.prompt.3.role': 'tool',
      'gen_ai.prompt.3.tool_call_id': 'call_1',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.finish_reason': 'length',
      'gen_ai.usage.prompt_tokens': 12,
      'gen_ai.usage.completion_tokens': 0,
      'llm.request.functions.0.name': 'look',
      'llm.request.functions.0.parameters': '{"type": "object"}',
    });
    expect(read).toMatchObject({
      kind: 'model_call',
      operation: 'chat',
      model: 'gpt-4o',
      provider: 'OpenAI',
      usage: { inputTokens: 12, outputTokens: 0 },
    });
    expect(read.input).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: 'What is on it?',
        attachments: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
      },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'look', arguments: { deep: true } }] },
      { role: 'tool', content: '', toolCallId: 'call_1' },
    ]);
    expect(read.output).toEqual([{ role: 'assistant', content: '', finishReason: 'length' }]);
    expect(read.toolDefinitions).toEqual([{ name: 'look', parameters: { type: 'object' } }]);
  });

  it('a JSON text that is no list of parts stays text', () => {
    expect(
      reading({ 'llm.request.type': 'chat', 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': '[{"id": 1}]' })
        .input,
    ).toEqual([{ role: 'user', content: '[{"id": 1}]' }]);
  });

  it('a decorated tool is read through the record of how the function was called', () => {
    const { kind, tool } = reading({
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 'get_weather',
      'traceloop.entity.input': '{"args": [], "kwargs": {"location": "Paris"}}',
      'traceloop.entity.output': '"sunny"',
    });
    expect(kind).toBe('tool_call');
    expect(tool).toEqual({ name: 'get_weather', arguments: { location: 'Paris' }, result: 'sunny', hasResult: true });
  });

  it('a LangChain tool is read through its callback, also where GenAI attributes repeat it', () => {
    const input = '{"input_str": "{\'q\': \'a\'}", "tags": [], "inputs": {"q": "a"}, "kwargs": {}}';
    const output =
      '{"output": {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"], "kwargs": {"content": "found", "tool_call_id": "c1"}}, "kwargs": {}}';
    const { tool } = reading({
      'traceloop.span.kind': 'tool',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.arguments': input,
      'gen_ai.tool.call.result': output,
      'traceloop.entity.name': 'search',
      'traceloop.entity.input': input,
      'traceloop.entity.output': output,
    });
    expect(tool).toEqual({ name: 'search', arguments: { q: 'a' }, result: 'found', hasResult: true });
  });

  it('a task is neither a tool nor a call', () => {
    expect(reading({ 'traceloop.span.kind': 'task', 'traceloop.entity.name': 'parse' }).kind).toBe('other');
  });
});
