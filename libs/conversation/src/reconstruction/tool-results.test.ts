import { describe, expect, it } from '@jest/globals';
import {
  assembled,
  assistant,
  call,
  calling,
  result,
  span,
  spanIdOf,
  told,
  toolRun,
  unixNano,
  user,
} from './test-support/spans.ts';

const both = calling(['c1', 'search', { q: 'a' }], ['c2', 'search', { q: 'b' }]);
const asking = call({ id: '1', at: [0, 1], input: [user('Find both')], output: [both] });

describe('tool results', () => {
  it('that only tool spans know stand behind their call, in the order of the calls', () => {
    const second = toolRun({ id: '3', at: [1, 2], tool: 'search', callId: 'c2', response: 'B' });
    const first = toolRun({ id: '2', at: [1, 4], tool: 'search', callId: 'c1', response: 'A' });
    const { messages } = assembled(
      asking,
      second,
      first,
      call({ id: '4', at: [5, 6], input: [user('And?')], output: [assistant('That is all')] }),
    );
    expect(told({ messages })).toEqual([
      'user: Find both',
      'assistant: -> search -> search',
      'tool: A',
      'tool: B',
      'user: And?',
      'assistant: That is all',
    ]);
    expect(messages.slice(2, 4)).toMatchObject([
      { toolCallId: 'c1', name: 'search', spanId: spanIdOf('2') },
      { toolCallId: 'c2', name: 'search', spanId: spanIdOf('3') },
    ]);
  });

  it('that history and tool span both have are there once, as the model saw them, where they first appeared', () => {
    const runs = [
      toolRun({ id: '2', at: [1, 2], tool: 'search', callId: 'c1', response: { hits: 1 } }),
      toolRun({ id: '3', at: [1, 3], tool: 'search', callId: 'c2', response: { hits: 2 } }),
    ];
    const next = call({
      id: '4',
      at: [5, 6],
      input: [user('Find both'), both, result('c1', '1 hit'), result('c2', '2 hits')],
      output: [assistant('Found')],
    });
    const { messages } = assembled(next, ...runs, asking);
    expect(told({ messages })).toEqual([
      'user: Find both',
      'assistant: -> search -> search',
      'tool: 1 hit',
      'tool: 2 hits',
      'assistant: Found',
    ]);
    expect(messages.slice(2, 4).map(({ spanId, atMs }) => [spanId, atMs - 1_700_000_000_000])).toEqual([
      [spanIdOf('2'), 2_000],
      [spanIdOf('3'), 3_000],
    ]);
  });

  it('without call ids find their calls by name and arguments', () => {
    const runs = [
      toolRun({ id: '2', at: [1, 2], tool: 'search', given: '{"q": "b"}', response: 'B' }),
      toolRun({ id: '3', at: [2, 3], tool: 'search', given: { q: 'a' }, response: 'A' }),
    ];
    expect(told(assembled(asking, ...runs))).toEqual([
      'user: Find both',
      'assistant: -> search -> search',
      'tool: A',
      'tool: B',
    ]);
  });

  it('of calls whose ids repeat go to the latest call', () => {
    const again = (id: string, at: [number, number]) =>
      call({ id, at, input: [user(`ask ${id}`)], output: [calling(['call_0', 'search'])] });
    const run = (id: string, at: [number, number]) =>
      toolRun({ id, at, tool: 'search', callId: 'call_0', response: `list ${id}` });
    expect(told(assembled(again('1', [0, 1]), run('2', [1, 2]), again('3', [3, 4]), run('4', [4, 5])))).toEqual([
      'user: ask 1',
      'assistant: -> search',
      'tool: list 2',
      'user: ask 3',
      'assistant: -> search',
      'tool: list 4',
    ]);
  });

  it('that are empty are kept, and unknown ones are not made up', () => {
    const empty = toolRun({ id: '2', at: [1, 2], tool: 'search', callId: 'c1', response: '' });
    const unknown = toolRun({ id: '3', at: [1, 2], tool: 'search', callId: 'c2' });
    expect(told(assembled(asking, empty, unknown))).toEqual([
      'user: Find both',
      'assistant: -> search -> search',
      'tool: ',
    ]);
  });

  it.each([
    ['a status', { status: { code: 2, message: 'no connection' } }, { type: 'error', message: 'no connection' }],
    ['error.type', { attributes: { 'error.type': 'Timeout' } }, { type: 'Timeout', message: '' }],
    [
      'an exception event',
      {
        events: [
          {
            name: 'exception',
            timeUnixNano: unixNano(2),
            attributes: { 'exception.type': 'KeyError', 'exception.message': 'id' },
          },
        ],
      },
      { type: 'KeyError', message: 'id' },
    ],
  ])('of a run that failed by %s carry the error', (_, failure, error) => {
    const run = toolRun({ id: '2', at: [1, 2], tool: 'search', callId: 'c1', ...failure });
    const next = call({
      id: '4',
      at: [5, 6],
      input: [user('Find both'), both, result('c1', 'It failed')],
      output: [assistant('Sorry')],
    });
    expect(assembled(asking, run, next).messages[2]).toMatchObject({ role: 'tool', content: 'It failed', error });
    expect(assembled(asking, run).messages[2]).toMatchObject({ role: 'tool', content: error.message, error });
  });

  it('of a run that is traced twice are there once', () => {
    const outer = toolRun({ id: '2', at: [1, 4], tool: 'search', callId: 'c1' });
    const inner = toolRun({ id: '3', parent: '2', at: [2, 3], tool: 'search', callId: 'c1', response: 'A' });
    const beside = toolRun({ id: '5', at: [1, 4], tool: 'search', callId: 'c1', response: 'A' });
    expect(told(assembled(asking, outer, inner, beside))).toEqual([
      'user: Find both',
      'assistant: -> search -> search',
      'tool: A',
    ]);
  });

  it('of a tool that no model called stand for themselves', () => {
    const lookup = span({
      id: '2',
      at: [1, 2],
      attributes: { 'openinference.span.kind': 'TOOL', 'tool.name': 'lookup', 'output.value': 'found' },
    });
    expect(
      told(assembled(call({ id: '1', at: [3, 4], input: [user('hi')], output: [assistant('hello')] }), lookup)),
    ).toEqual(['tool: found', 'user: hi', 'assistant: hello']);
  });

  it('in a history that lists them in another order stand in the order of the calls', () => {
    const next = call({
      id: '4',
      at: [5, 6],
      input: [user('Find both'), both, result('c2', 'B'), result('c1', 'A')],
      output: [assistant('Found')],
    });
    expect(told(assembled(asking, next)).slice(2, 4)).toEqual(['tool: A', 'tool: B']);
  });
});
