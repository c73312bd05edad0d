import { describe, expect, it } from '@jest/globals';
import { reading } from './test-support/sketch.ts';

describe('Vercel AI SDK', () => {
  it('a model call has its prompt as parts and its response as text and calls', () => {
    const prompt = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'file', mediaType: 'image/png', data: 'aGk=' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Rome' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'weather',
            output: { type: 'json', value: { sky: 'clear' } },
          },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'time',
            output: { type: 'error-text', value: 'no clock' },
          },
        ],
      },
    ];
    const read = reading(
      {
        'operation.name': 'ai.streamText.doStream concierge',
        'ai.operationId': 'ai.streamText.doStream',
        'ai.telemetry.functionId': 'concierge',
        'ai.telemetry.metadata.sessionId': 'chat-1',
        'ai.model.id': 'gpt-4o',
        'ai.prompt.messages': JSON.stringify(prompt),
        'ai.prompt.tools': [
          '{"type":"function","name":"weather","description":"Weather","inputSchema":{"type":"object"}}',
        ],
        'ai.response.text': 'It is clear.',
        'ai.response.toolCalls':
          '[{"toolCallType":"function","toolCallId":"c3","toolName":"time","args":"{\\"zone\\":\\"CET\\"}"}]',
        'ai.response.finishReason': 'tool-calls',
        'ai.usage.inputTokens': 10,
        'ai.usage.outputTokens': 20,
      },
      { scopeName: 'ai' },
    );
    expect(read).toMatchObject({
      kind: 'model_call',
      operation: 'ai.streamText.doStream',
      conversationId: 'chat-1',
      agentName: 'concierge',
      model: 'gpt-4o',
      usage: { inputTokens: 10, outputTokens: 20 },
      toolDefinitions: [{ name: 'weather', description: 'Weather', parameters: { type: 'object' } }],
    });
    expect(read.input).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?', attachments: [{ type: 'file', mediaType: 'image/png', data: 'aGk=' }] },
      {
        role: 'assistant',
        content: '',
        reasoning: 'Hm.',
        toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Rome' } }],
      },
      { role: 'tool', content: '{"sky":"clear"}', toolCallId: 'c1', name: 'weather' },
      { role: 'tool', content: 'no clock', toolCallId: 'c2', name: 'time', isError: true },
    ]);
    expect(read.output).toEqual([
      {
        role: 'assistant',
        content: 'It is clear.',
        toolCalls: [{ id: 'c3', name: 'time', arguments: { zone: 'CET' } }],
        finishReason: 'tool_calls',
      },
    ]);
  });

  it('the outer span is an agent, with what the application passed in', () => {
    const outer = {
      'ai.operationId': 'ai.generateText',
      'ai.prompt': '{"system":"Be brief.","prompt":"Weather?"}',
      'ai.response.text': '',
    };
    expect(reading(outer)).toMatchObject({
      kind: 'agent',
      input: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
      ],
      output: [{ role: 'assistant', content: '' }],
    });
  });

  it('an object is the answer as JSON text', () => {
    const call = { 'ai.operationId': 'ai.generateObject.doGenerate', 'ai.response.object': '{"content":"Hello"}' };
    expect(reading(call).output).toEqual([{ role: 'assistant', content: '{"content":"Hello"}' }]);
  });

  it('a tool has its result as JSON', () => {
    const run = {
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 'weather',
      'ai.toolCall.id': 'c1',
      'ai.toolCall.args': '{"city":"Rome"}',
    };
    const tool = (value?: string) => reading(value === undefined ? run : { ...run, 'ai.toolCall.result': value }).tool;
    expect(tool('"clear"')).toEqual({
      name: 'weather',
      id: 'c1',
      arguments: { city: 'Rome' },
      result: 'clear',
      hasResult: true,
    });
    expect(tool('{"sky":"clear","air":1}')?.result).toBe('{"air":1,"sky":"clear"}');
    expect(tool()).toMatchObject({ result: '', hasResult: false });
  });

  it('the names of the SDK before version 4 are read too', () => {
    const old = {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.result.text': 'Hello',
      'ai.finishReason': 'stop',
    };
    expect(reading(old).output).toEqual([{ role: 'assistant', content: 'Hello', finishReason: 'stop' }]);
  });
});
