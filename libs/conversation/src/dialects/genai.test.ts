import { describe, expect, it } from '@jest/globals';
import { reading } from './test-support/sketch.ts';

const messages = {
  'gen_ai.system_instructions': [{ type: 'text', content: 'You are a travel agent.' }],
  'gen_ai.input.messages': [
    { role: 'user', parts: [{ type: 'text', content: 'Weather in Paris?' }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { location: 'Paris' } }],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: 'rainy, 57°F' }] },
  ],
  'gen_ai.output.messages': [
    { role: 'assistant', parts: [{ type: 'text', content: 'It rains.' }], finish_reason: 'stop' },
  ],
};
const expected = {
  system: [{ role: 'system', content: 'You are a travel agent.' }],
  input: [
    { role: 'user', content: 'Weather in Paris?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: { location: 'Paris' } }],
    },
    { role: 'tool', content: 'rainy, 57°F', toolCallId: 'call_1' },
  ],
  output: [{ role: 'assistant', content: 'It rains.', finishReason: 'stop' }],
};

describe('GenAI attributes', () => {
  it('are read structured and as JSON text alike', () => {
    const asText = Object.fromEntries(Object.entries(messages).map(([key, value]) => [key, JSON.stringify(value)]));
    expect(reading(messages)).toMatchObject(expected);
    expect(reading(asText)).toMatchObject(expected);
  });

  it('accept `result` for `response`, and give a structured result as canonical JSON', () => {
    const { input } = reading({
      'gen_ai.input.messages': [
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'a', result: { b: [1, 2], a: null } }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'b', response: '' }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: 42 }] },
      ],
    });
    expect(input.map(({ content }) => content)).toEqual(['{"a":null,"b":[1,2]}', '', '42']);
  });

  it('make one message of each result that a user message carries, before what the user says', () => {
    const { input } = reading({
      'gen_ai.input.messages': [
        {
          role: 'user',
          parts: [
            { type: 'tool_call_response', id: 'a', response: '1' },
            { type: 'tool_call_response', id: 'b', response: '2' },
            { type: 'text', content: 'Go on' },
          ],
        },
      ],
    });
    expect(input).toEqual([
      { role: 'tool', content: '1', toolCallId: 'a' },
      { role: 'tool', content: '2', toolCallId: 'b' },
      { role: 'user', content: 'Go on' },
    ]);
  });

  it('keep reasoning apart, and parts of any other type as attachments', () => {
    const [answer] = reading({
      'gen_ai.output.messages': [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'Let me think.' },
            { type: 'text', content: 'See ' },
            { type: 'text', content: 'this.' },
            { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'aGk=' },
            { type: 'vendor_special', value: 1 },
          ],
          finish_reason: 'stop',
        },
      ],
    }).output;
    expect(answer).toEqual({
      role: 'assistant',
      content: 'See this.',
      reasoning: 'Let me think.',
      attachments: [
        { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'aGk=' },
        { type: 'vendor_special', value: 1 },
      ],
      finishReason: 'stop',
    });
  });

  it('give each instruction a message of its own', () => {
    const { system } = reading({
      'gen_ai.system_instructions': '[{"type":"text","content":"One"},{"type":"text","content":"Two"}]',
    });
    expect(system.map(({ content }) => content)).toEqual(['One', 'Two']);
    expect(reading({ 'gen_ai.system_instructions': 'Plain text' }).system).toEqual([
      { role: 'system', content: 'Plain text' },
    ]);
  });

  it('describe a tool run', () => {
    const run = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.call.id': 'call_1',
    };
    const given = { 'gen_ai.tool.call.arguments': '{"location":"Paris"}', 'gen_ai.tool.call.result': '"rainy"' };
    expect(reading({ ...run, ...given }).tool).toEqual({
      name: 'get_weather',
      id: 'call_1',
      arguments: { location: 'Paris' },
      result: 'rainy',
      hasResult: true,
    });
    expect(reading(run).tool).toEqual({ name: 'get_weather', id: 'call_1', result: '', hasResult: false });
  });

  it('list the tools that were offered', () => {
    const definitions = [
      { type: 'function', name: 'get_weather', description: 'Weather', parameters: { type: 'object' } },
      { type: 'function', function: { name: 'book', parameters: { type: 'object' } } },
      { name: 'search', input_schema: { type: 'object' } },
      { type: 'nameless' },
    ];
    expect(
      reading({ 'gen_ai.request.model': 'm', 'gen_ai.tool.definitions': JSON.stringify(definitions) }).toolDefinitions,
    ).toEqual([
      { name: 'get_weather', description: 'Weather', parameters: { type: 'object' } },
      { name: 'book', parameters: { type: 'object' } },
      { name: 'search', parameters: { type: 'object' } },
    ]);
  });

  it('tell an absent input from an empty one and from a broken one', () => {
    expect(reading({ 'gen_ai.input.messages': '[]' })).toMatchObject({ hasInput: true, input: [] });
    expect(reading({ 'gen_ai.input.messages': '[{"role": "us' })).toMatchObject({ hasInput: false, input: [] });
    expect(reading({ 'gen_ai.operation.name': 'chat' })).toMatchObject({ hasInput: false, hasOutput: false });
  });

  it('read the parts of other providers that instrumentations pass through', () => {
    const { input } = reading({
      'gen_ai.input.messages': [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking' },
            { type: 'tool_use', id: 'tu_1', name: 'search', input: { q: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'tu_1',
              content: [
                { type: 'text', text: 'one' },
                { type: 'text', text: 'two' },
              ],
              is_error: true,
            },
          ],
        },
        { role: 'model', parts: [{ text: 'Hi' }, { functionCall: { name: 'f', args: { x: 1 } } }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'b1', name: 'g', input: { y: 2 } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'b1', content: [{ json: { ok: true } }] } }] },
      ],
    });
    expect(input).toEqual([
      { role: 'assistant', content: 'Looking', toolCalls: [{ id: 'tu_1', name: 'search', arguments: { q: 'a' } }] },
      { role: 'tool', content: 'one\ntwo', toolCallId: 'tu_1', isError: true },
      { role: 'assistant', content: 'Hi', toolCalls: [{ name: 'f', arguments: { x: 1 } }] },
      { role: 'assistant', content: '', toolCalls: [{ id: 'b1', name: 'g', arguments: { y: 2 } }] },
      { role: 'tool', content: '{"ok":true}', toolCallId: 'b1' },
    ]);
  });

  it('make one message of the items of one answer of the Responses API', () => {
    const { output } = reading({
      'gen_ai.output.messages': [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search', arguments: '{"q":"a"}' },
        { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'search', arguments: '{"q":"b"}' },
      ],
    });
    expect(output).toEqual([
      {
        role: 'assistant',
        content: 'Looking.',
        reasoning: 'Hm.',
        toolCalls: [
          { id: 'call_1', name: 'search', arguments: { q: 'a' } },
          { id: 'call_2', name: 'search', arguments: { q: 'b' } },
        ],
      },
    ]);
  });
});

describe('the type of an error', () => {
  it('is the name of the class where the class itself was printed', () => {
    const { error } = reading({ 'error.type': "<class 'openai.BadRequestError'>" });
    expect(error?.type).toBe('openai.BadRequestError');
  });
});
