import { describe, expect, it } from '@jest/globals';
import { readSpan } from './read-span.ts';
import { log, sketch } from './test-support/sketch.ts';

const toolCalls = [
  { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"location":"Paris"}' } },
];
const expected = {
  kind: 'model_call',
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: { location: 'Paris' } }],
    },
    { role: 'tool', content: 'rainy', toolCallId: 'call_1' },
  ],
  output: [{ role: 'assistant', content: 'It rains.', finishReason: 'stop' }],
};
const bodies: [name: string, body: Record<string, unknown>][] = [
  ['gen_ai.system.message', { content: 'Be brief.' }],
  ['gen_ai.user.message', { content: 'Weather?' }],
  ['gen_ai.assistant.message', { tool_calls: toolCalls }],
  ['gen_ai.tool.message', { content: 'rainy', id: 'call_1' }],
  ['gen_ai.choice', { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It rains.' } }],
];

describe('GenAI events', () => {
  it('in log records are read in the order of their time, once each, with and without a name of their own', () => {
    const named = bodies.map(([name, body], index) => log(name, index, body));
    const unnamed = bodies.map(([name, body], index) => log('', index, body, { 'event.name': name }));
    expect(readSpan(sketch({}), [...named].reverse())).toMatchObject(expected);
    expect(readSpan(sketch({}), [...unnamed, ...unnamed])).toMatchObject(expected);
  });

  it('in log records of one time are read in the order of the roles', () => {
    const [system, user, assistant, ...others] = bodies.map(([name, body]) => log(name, 0, body));
    const logs = [user, assistant, system, ...others].filter((record) => record !== undefined);
    expect(readSpan(sketch({}), logs)).toMatchObject(expected);
  });

  it('on the span are read with structure as JSON text', () => {
    const events = bodies.map(([name, body]) => ({
      name,
      timeUnixNano: '1',
      attributes: Object.fromEntries(
        Object.entries(body).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value]),
      ),
    }));
    expect(readSpan(sketch({}, { events }))).toMatchObject(expected);
  });

  it('on the span with the whole body in one attribute are read', () => {
    const events = bodies.map(([name, body]) => ({
      name,
      timeUnixNano: '1',
      attributes: { 'gen_ai.event.content': JSON.stringify(body) },
    }));
    expect(readSpan(sketch({}, { events }))).toMatchObject(expected);
  });

  it('may have the calls of a choice beside its message', () => {
    const choice = log('gen_ai.choice', 1, {
      index: 0,
      finish_reason: 'tool_calls',
      message: {},
      tool_calls: toolCalls,
    });
    expect(readSpan(sketch({}), [log('gen_ai.user.message', 0, { content: 'Weather?' }), choice]).output).toEqual([
      { role: 'assistant', content: '', toolCalls: expected.input[2]?.toolCalls, finishReason: 'tool_calls' },
    ]);
  });

  it('with the details of a whole operation are read like attributes', () => {
    const details = {
      'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }],
      'gen_ai.output.messages': [
        { role: 'assistant', parts: [{ type: 'text', content: 'Hello' }], finish_reason: 'stop' },
      ],
    };
    const name = 'gen_ai.client.inference.operation.details';
    const read = {
      system: [{ role: 'system', content: 'Be brief.' }],
      input: [{ role: 'user', content: 'Hi' }],
      output: [{ role: 'assistant', content: 'Hello', finishReason: 'stop' }],
    };
    expect(readSpan(sketch({ 'gen_ai.operation.name': 'chat' }), [log(name, 5, null, details)])).toMatchObject(read);
    expect(readSpan(sketch({}, { events: [{ name, timeUnixNano: '1', attributes: details }] }))).toMatchObject(read);
  });

  it('of the oldest form hold the whole prompt and completion', () => {
    const events = [
      {
        name: 'gen_ai.content.prompt',
        timeUnixNano: '1',
        attributes: { 'gen_ai.prompt': '[{"role":"user","content":"Hi"}]' },
      },
      {
        name: 'gen_ai.content.completion',
        timeUnixNano: '2',
        attributes: { 'gen_ai.completion': '[{"role":"assistant","content":"Hello"}]' },
      },
    ];
    expect(readSpan(sketch({ 'gen_ai.system': 'openai' }, { events }))).toMatchObject({
      input: [{ role: 'user', content: 'Hi' }],
      output: [{ role: 'assistant', content: 'Hello' }],
    });
  });

  it('without any content say that nothing was captured; beside others with content they are empty', () => {
    const hidden = [
      log('gen_ai.user.message', 0, {}),
      log('gen_ai.choice', 1, {
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ id: 'c', function: { name: 'f' } }] },
      }),
    ];
    expect(readSpan(sketch({}), hidden)).toMatchObject({ hasInput: false, hasOutput: false, input: [], output: [] });
    const empty = [
      log('gen_ai.user.message', 0, { content: 'Hi' }),
      log('gen_ai.choice', 1, { finish_reason: 'length', message: {} }),
    ];
    expect(readSpan(sketch({}), empty).output).toEqual([{ role: 'assistant', content: '', finishReason: 'length' }]);
  });

  it('of evaluations are scores', () => {
    const evaluation = log('gen_ai.evaluation.result', 7, null, {
      'gen_ai.evaluation.name': 'Relevance',
      'gen_ai.evaluation.score.value': 0.4,
      'gen_ai.evaluation.score.label': 'fail',
      'gen_ai.evaluation.explanation': 'Off topic',
    });
    const labelled = log('gen_ai.evaluation.result', 8, null, {
      'gen_ai.evaluation.name': 'Tone',
      'gen_ai.evaluation.score.label': 'pass',
    });
    expect(readSpan(sketch({}), [evaluation, labelled])).toMatchObject({
      kind: 'other',
      scores: [
        { name: 'Relevance', value: 0.4, label: 'fail', comment: 'Off topic' },
        { name: 'Tone', value: 'pass', label: 'pass' },
      ],
    });
  });
});
