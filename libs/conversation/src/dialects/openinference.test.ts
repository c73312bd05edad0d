import { describe, expect, it } from '@jest/globals';
import { reading } from './test-support/sketch.ts';

describe('OpenInference', () => {
  it('messages are read from their flattened keys, in the order of their indexes', () => {
    const read = reading({
      'openinference.span.kind': 'LLM',
      'llm.system': 'openai',
      'llm.model_name': 'gpt-4o',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.content': 'what is 23 times 87',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'You count.',
      'llm.input_messages.10.message.role': 'tool',
      'llm.input_messages.10.message.content': '2001',
      'llm.input_messages.10.message.name': 'multiply',
      'llm.input_messages.10.message.tool_call_id': 'call_1',
      'llm.input_messages.2.message.role': 'assistant',
      'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'call_1',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'multiply',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{\n  "a": 23,\n  "b": 87\n}',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'The product is 2001.',
      'llm.finish_reason': 'stop',
      'llm.token_count.prompt': 259,
      'llm.token_count.completion': 14,
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"multiply","parameters":{"type":"object"}}}',
    });
    expect(read).toMatchObject({
      kind: 'model_call',
      model: 'gpt-4o',
      provider: 'openai',
      usage: { inputTokens: 259, outputTokens: 14 },
      toolDefinitions: [{ name: 'multiply', parameters: { type: 'object' } }],
      output: [{ role: 'assistant', content: 'The product is 2001.', finishReason: 'stop' }],
    });
    expect(read.input).toEqual([
      { role: 'system', content: 'You count.' },
      { role: 'user', content: 'what is 23 times 87' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'multiply', arguments: { a: 23, b: 87 } }] },
      { role: 'tool', content: '2001', toolCallId: 'call_1', name: 'multiply' },
    ]);
  });

  it('content lists give their text, reasoning, images and calls, each call once', () => {
    const prefix = 'llm.output_messages.0.message';
    const [answer] = reading({
      'openinference.span.kind': 'LLM',
      [`${prefix}.role`]: 'assistant',
      [`${prefix}.contents.0.message_content.type`]: 'reasoning',
      [`${prefix}.contents.0.message_content.text`]: 'Hm.',
      [`${prefix}.contents.1.message_content.type`]: 'text',
      [`${prefix}.contents.1.message_content.text`]: 'Looking.',
      [`${prefix}.contents.2.message_content.type`]: 'tool_use',
      [`${prefix}.contents.2.tool_call.id`]: 'c1',
      [`${prefix}.contents.2.tool_call.function.name`]: 'search',
      [`${prefix}.contents.2.tool_call.function.arguments`]: '{}',
      [`${prefix}.contents.3.message_content.type`]: 'image',
      [`${prefix}.contents.3.message_content.image.image.url`]: 'https://example.com/a.png',
      [`${prefix}.tool_calls.0.tool_call.id`]: 'c1',
      [`${prefix}.tool_calls.0.tool_call.function.name`]: 'search',
      [`${prefix}.tool_calls.0.tool_call.function.arguments`]: '{}',
    }).output;
    expect(answer).toMatchObject({
      content: 'Looking.',
      reasoning: 'Hm.',
      toolCalls: [{ id: 'c1', name: 'search', arguments: {} }],
      attachments: [{ type: 'image', 'message_content.image.image.url': 'https://example.com/a.png' }],
    });
  });

  it('steps that smolagents tells twice are the calls that the model made', () => {
    const calls =
      "[{'id': 'c1', 'type': 'function', 'function': {'name': 'get_weather', 'arguments': {'location': \"Paris's\", 'days': 2, 'wind': True}}}]";
    const lines: [role: string, text: string][] = [
      ['user', 'New task: the weather'],
      ['assistant', ''],
      ['tool-call', `Calling tools:\n${calls}`],
      ['tool-response', 'Observation:\nsunny'],
      ['assistant', 'I count: print(1)'],
      [
        'tool-call',
        "Calling tools:\n[{'id': 'c2', 'type': 'function', 'function': {'name': 'python_interpreter', 'arguments': 'print(1)'}}]",
      ],
      ['tool-response', 'Observation:\n1'],
    ];
    const attributes = lines.flatMap(([role, text], index) => [
      [`llm.input_messages.${index}.message.role`, role],
      [`llm.input_messages.${index}.message.contents.0.message_content.type`, 'text'],
      [`llm.input_messages.${index}.message.contents.0.message_content.text`, text],
    ]);
    expect(reading({ 'openinference.span.kind': 'LLM', ...(Object.fromEntries(attributes) as object) }).input).toEqual([
      { role: 'user', content: 'New task: the weather' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c1', name: 'get_weather', arguments: { location: "Paris's", days: 2, wind: true } }],
      },
      { role: 'tool', content: 'sunny' },
      { role: 'assistant', content: 'I count: print(1)' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c2', name: 'python_interpreter', arguments: 'print(1)' }] },
      { role: 'tool', content: '1' },
    ]);
  });

  it('a tool span of a Python agent is read through the record of how the function was called', () => {
    const { tool } = reading({
      'openinference.span.kind': 'TOOL',
      'tool.name': 'get_weather',
      'input.value': '{"args": [], "sanitize_inputs_outputs": true, "kwargs": {"location": "Paris"}}',
      'output.value': 'sunny',
      'output.mime_type': 'text/plain',
    });
    expect(tool).toEqual({ name: 'get_weather', arguments: { location: 'Paris' }, result: 'sunny', hasResult: true });
  });

  it('a JSON output is canonical, and a tool message in it gives its content', () => {
    const run = (value: string) =>
      reading(
        { 'openinference.span.kind': 'TOOL', 'output.value': value, 'output.mime_type': 'application/json' },
        { name: 'lookup' },
      ).tool;
    expect(run('{"b": 1, "a": [2]}')).toEqual({ name: 'lookup', result: '{"a":[2],"b":1}', hasResult: true });
    expect(run('{"type": "tool", "data": {"content": "found", "tool_call_id": "c1"}}')?.result).toBe('found');
    expect(run('{"content": "found", "tool_call_id": "c1", "status": "success"}')?.result).toBe('found');
  });

  it('an agent has the text that it was run with', () => {
    const run = {
      'openinference.span.kind': 'AGENT',
      'input.value': '{"task": "Find a hotel", "stream": false}',
      'output.value': 'Hotel Roma',
    };
    expect(reading(run)).toMatchObject({
      kind: 'agent',
      input: [{ role: 'user', content: 'Find a hotel' }],
      output: [{ role: 'assistant', content: 'Hotel Roma' }],
    });
  });

  it('text completions are a question and an answer', () => {
    const read = reading({
      'openinference.span.kind': 'LLM',
      'llm.prompts.0.prompt.text': 'def fib(n):',
      'llm.choices.0.completion.text': ' return n',
    });
    expect(read).toMatchObject({
      input: [{ role: 'user', content: 'def fib(n):' }],
      output: [{ role: 'assistant', content: ' return n' }],
    });
  });
});
