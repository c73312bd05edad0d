import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, calling, result, span, told, toolRun, user } from './testing/spans.ts';

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

describe('several agents', () => {
  it('with histories of their own are threads, interleaved by time', () => {
    const delegated = calling(['c1', 'delegate', { task: 'find' }]);
    const searched = calling(['x', 'search']);
    const spans = [
      call({ id: '1', at: [0, 1], agent: 'main', instructions: 'Main', input: [user('Book')], output: [delegated] }),
      call({ id: '2', at: [2, 3], agent: 'finder', instructions: 'Finder', input: [user('find')], output: [searched] }),
      call({
        id: '3',
        at: [5, 6],
        agent: 'finder',
        instructions: 'Finder',
        input: [user('find'), searched, result('x', 'list')],
        output: [assistant('found')],
      }),
      call({
        id: '4',
        at: [8, 9],
        agent: 'main',
        instructions: 'Main',
        input: [user('Book'), delegated, result('c1', 'found')],
        output: [assistant('Booked')],
      }),
      call({
        id: '5',
        at: [10, 11],
        agent: 'main',
        instructions: 'Main',
        input: [user('Book'), delegated, result('c1', 'found'), assistant('Booked'), user('Thanks')],
        output: [assistant('Bye')],
      }),
    ];
    expect(told(assembled(...spans))).toEqual([
      'system: Main',
      'user: Book',
      'assistant: -> delegate',
      'system: Finder',
      'user: find',
      'assistant: -> search',
      'tool: list',
      'assistant: found',
      'tool: found',
      'assistant: Booked',
      'user: Thanks',
      'assistant: Bye',
    ]);
  });

  it('that run side by side do not disturb each other', () => {
    const worker = (name: string, ids: [string, string], shift: number) => [
      call({
        id: ids[0],
        at: [1 + shift, 2 + shift],
        agent: name,
        input: [user(`task of ${name}`)],
        output: [calling(['c', 'search'])],
      }),
      call({
        id: ids[1],
        at: [3 + shift, 4 + shift],
        agent: name,
        input: [user(`task of ${name}`), calling(['c', 'search']), result('c', `list of ${name}`)],
        output: [assistant(`answer of ${name}`)],
      }),
    ];
    expect(told(assembled(...worker('a', ['1', '2'], 0), ...worker('b', ['3', '4'], 0.5)))).toEqual([
      'user: task of a',
      'user: task of b',
      'assistant: -> search',
      'assistant: -> search',
      'tool: list of a',
      'tool: list of b',
      'assistant: answer of a',
      'assistant: answer of b',
    ]);
  });

  it('that are told the same words share the message', () => {
    const main = [user('Q1'), assistant('A1'), user('yes'), assistant('A2'), user('yes')];
    const turn = (index: number, asked: string, answer: string) => [
      call({
        id: `${index}1`,
        trace: `${index}`,
        at: [index * 10, index * 10 + 1],
        agent: 'guard',
        instructions: 'Guard',
        input: [user(asked)],
        output: [assistant('safe')],
      }),
      call({
        id: `${index}2`,
        trace: `${index}`,
        at: [index * 10 + 1, index * 10 + 2],
        agent: 'main',
        instructions: 'Main',
        input: main.slice(0, index * 2 - 1),
        output: [assistant(answer)],
      }),
    ];
    expect(told(assembled(...turn(1, 'Q1', 'A1'), ...turn(2, 'yes', 'A2'), ...turn(3, 'yes', 'A3')))).toEqual([
      'system: Guard',
      'user: Q1',
      'assistant: safe',
      'system: Main',
      'assistant: A1',
      'user: yes',
      'assistant: safe',
      'assistant: A2',
      'user: yes',
      'assistant: safe',
      'assistant: A3',
    ]);
  });

  it('that are told the same words again hear them again', () => {
    const main = [user('yes'), assistant('A1'), user('yes'), assistant('A2'), user('yes')];
    const turn = (index: number) => [
      call({
        id: `${index}1`,
        at: [index * 10, index * 10 + 1],
        instructions: 'Guard',
        input: [user('yes')],
        output: [assistant('safe')],
      }),
      call({
        id: `${index}2`,
        at: [index * 10 + 1, index * 10 + 2],
        instructions: 'Main',
        input: main.slice(0, index * 2 - 1),
        output: [assistant(`A${index}`)],
      }),
    ];
    const spoken = told(assembled(...turn(1), ...turn(2), ...turn(3))).filter((line) => line !== 'assistant: safe');
    expect(spoken).toEqual([
      'system: Guard',
      'user: yes',
      'system: Main',
      'assistant: A1',
      'user: yes',
      'assistant: A2',
      'user: yes',
      'assistant: A3',
    ]);
  });

  it('are named on what they say', () => {
    const agent = span({
      id: '1',
      at: [0, 9],
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'concierge' },
    });
    const { messages, agents } = assembled(
      agent,
      call({ id: '2', parent: '1', at: [1, 2], input: [user('hi')], output: [assistant('hello')] }),
    );
    expect(messages.map(({ name }) => name)).toEqual([undefined, 'concierge']);
    expect(agents).toEqual(['concierge']);
  });
});
