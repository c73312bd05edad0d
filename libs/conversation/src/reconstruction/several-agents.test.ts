import { describe, expect, it } from '@jest/globals';
import { assembled, assistant, call, calling, result, span, told, user } from './test-support/spans.ts';

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
