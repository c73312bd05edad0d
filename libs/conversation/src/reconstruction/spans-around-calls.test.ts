import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, calling, span, told, toolRun, user } from './test-support/spans.ts';

const question = JSON.stringify({ messages: [{ role: 'user', content: 'Weather?' }] });

describe('a span around other calls', () => {
  it('adds nothing to what they say: ai.generateText around doGenerate and ai.toolCall', () => {
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }];
    const callPart = { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Rome' } };
    const resultPart = {
      type: 'tool-result',
      toolCallId: 'c1',
      toolName: 'weather',
      output: { type: 'json', value: { sky: 'clear' } },
    };
    const vercel = (operation: string) => ({ 'ai.operationId': operation, 'operation.name': operation });
    const spans = [
      span({
        id: '1',
        at: [0, 9],
        scopeName: 'ai',
        attributes: { ...vercel('ai.generateText'), 'ai.prompt': question, 'ai.response.text': 'Clear.' },
      }),
      span({
        id: '2',
        parent: '1',
        at: [1, 2],
        scopeName: 'ai',
        attributes: {
          ...vercel('ai.generateText.doGenerate'),
          'ai.prompt.messages': JSON.stringify(prompt),
          'ai.response.text': '',
          'ai.response.toolCalls': JSON.stringify([{ toolCallId: 'c1', toolName: 'weather', input: { city: 'Rome' } }]),
        },
      }),
      span({
        id: '3',
        parent: '2',
        at: [3, 4],
        scopeName: 'ai',
        attributes: {
          ...vercel('ai.toolCall'),
          'ai.toolCall.name': 'weather',
          'ai.toolCall.id': 'c1',
          'ai.toolCall.args': '{"city":"Rome"}',
          'ai.toolCall.result': '{"sky":"clear"}',
        },
      }),
      span({
        id: '4',
        parent: '1',
        at: [5, 6],
        scopeName: 'ai',
        attributes: {
          ...vercel('ai.generateText.doGenerate'),
          'ai.response.text': 'Clear.',
          'ai.prompt.messages': JSON.stringify([
            ...prompt,
            { role: 'assistant', content: [callPart] },
            { role: 'tool', content: [resultPart] },
          ]),
        },
      }),
    ];
    expect(told(assembled(...spans))).toEqual([
      'user: Weather?',
      'assistant: -> weather',
      'tool: {"sky":"clear"}',
      'assistant: Clear.',
    ]);
  });

  it('adds nothing when a framework traces the call that its provider traces too', () => {
    const framework = span({
      id: '1',
      at: [0, 9],
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'hi',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'hello',
      },
    });
    const provider = call({ id: '2', parent: '1', at: [1, 8], input: [user('hi')], output: [assistant('hello')] });
    const next = [
      {
        ...framework,
        spanId: '3'.padStart(16, '0'),
        startTimeUnixNano: '1700000010000000000',
        endTimeUnixNano: '1700000019000000000',
      },
      call({ id: '4', parent: '3', at: [11, 18], input: [user('hi')], output: [assistant('hello')] }),
    ];
    expect(told(assembled(framework, provider))).toEqual(['user: hi', 'assistant: hello']);
    expect(told(assembled(framework, provider, ...next))).toEqual([
      'user: hi',
      'assistant: hello',
      'user: hi',
      'assistant: hello',
    ]);
  });

  it('adds nothing when two instrumentations trace one call side by side', () => {
    const left = call({ id: '1', at: [0, 3], input: [user('hi')], output: [assistant('hello')] });
    const right = call({
      id: '2',
      at: [1, 2],
      input: [user('hi')],
      output: [assistant('hello')],
      attributes: { 'gen_ai.usage.input_tokens': 3 },
    });
    expect(told(assembled(left, right))).toEqual(['user: hi', 'assistant: hello']);
  });

  it('gives what the calls inside it did not record', () => {
    const agent = span({
      id: '1',
      at: [0, 9],
      name: 'invoke_agent',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.input.messages': [user('hi')],
        'gen_ai.output.messages': [assistant('hello')],
      },
    });
    for (const recorded of [{}, { output: [assistant('hello')] }, { input: [user('hi')] }]) {
      const inner = call({ id: '2', parent: '1', at: [1, 8], ...recorded });
      expect(told(assembled(agent, inner))).toEqual(['user: hi', 'assistant: hello']);
    }
  });

  it('is the conversation where a trace has nothing but its root', () => {
    const root = (id: string, trace: string, at: [number, number], asked: string, answered: string) =>
      span({
        id,
        trace,
        at,
        attributes: {
          'langfuse.observation.type': 'span',
          'langfuse.trace.input': asked,
          'langfuse.trace.output': answered,
        },
      });
    expect(told(assembled(root('1', '1', [0, 1], 'hi', 'hello'), root('2', '2', [2, 3], 'hi', 'hello')))).toEqual([
      'user: hi',
      'assistant: hello',
      'user: hi',
      'assistant: hello',
    ]);
  });

  it('does not hide the call that a tool runs in', () => {
    const outer = call({ id: '1', at: [0, 9], input: [user('Plan')], output: [calling(['c1', 'delegate'])] });
    const tool = toolRun({ id: '2', parent: '1', at: [2, 8], tool: 'delegate', callId: 'c1', response: 'done' });
    const inner = call({
      id: '3',
      parent: '2',
      at: [3, 4],
      agent: 'helper',
      input: [user('Do it')],
      output: [assistant('done')],
    });
    expect(told(assembled(outer, tool, inner))).toEqual([
      'user: Plan',
      'user: Do it',
      'assistant: done',
      'assistant: -> delegate',
      'tool: done',
    ]);
  });
});

describe('an agent of smolagents', () => {
  it('is told once, although its memory tells calls and results as texts', () => {
    const message = (list: string, index: number, role: string, text: string) => ({
      [`llm.${list}_messages.${index}.message.role`]: role,
      [`llm.${list}_messages.${index}.message.contents.0.message_content.type`]: 'text',
      [`llm.${list}_messages.${index}.message.contents.0.message_content.text`]: text,
    });
    const asked = message('input', 0, 'user', 'New task: weather');
    const calls =
      "[{'id': 'c1', 'type': 'function', 'function': {'name': 'get_weather', 'arguments': {'city': 'Rome'}}}]";
    const outputCall = 'llm.output_messages.0.message.tool_calls.0.tool_call';
    const model = { 'openinference.span.kind': 'LLM' };
    const spans = [
      span({
        id: '1',
        at: [0, 9],
        attributes: {
          'openinference.span.kind': 'AGENT',
          'input.value': '{"task": "weather"}',
          'output.value': 'Sunny.',
        },
      }),
      span({
        id: '2',
        parent: '1',
        at: [1, 2],
        attributes: {
          ...model,
          ...asked,
          'llm.output_messages.0.message.role': 'assistant',
          [`${outputCall}.id`]: 'c1',
          [`${outputCall}.function.name`]: 'get_weather',
          [`${outputCall}.function.arguments`]: '{"city": "Rome"}',
        },
      }),
      span({
        id: '3',
        parent: '1',
        at: [3, 4],
        attributes: {
          'openinference.span.kind': 'TOOL',
          'tool.name': 'get_weather',
          'input.value': '{"args": [], "kwargs": {"city": "Rome"}}',
          'output.value': 'sunny',
        },
      }),
      span({
        id: '4',
        parent: '1',
        at: [5, 6],
        attributes: {
          ...model,
          ...asked,
          ...message('input', 1, 'tool-call', `Calling tools:\n${calls}`),
          ...message('input', 2, 'tool-response', 'Observation:\nsunny'),
          ...message('output', 0, 'assistant', 'Sunny.'),
        },
      }),
    ];
    expect(told(assembled(...spans))).toEqual([
      'user: New task: weather',
      'assistant: -> get_weather',
      'tool: sunny',
      'assistant: Sunny.',
    ]);
  });
});
