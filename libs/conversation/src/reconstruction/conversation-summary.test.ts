import { describe, expect, it } from '@jest/globals';
import { assembleConversation } from './assemble-conversation.ts';
import { assembled, assistant, BEGINNING_MS, call, span, toolRun, unixNano, user } from './test-support/spans.ts';

const tokens = (input: number, output: number) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
});

describe('the summary of a conversation', () => {
  it('counts each call’s tokens once, and not again in the spans around it', () => {
    const agent = span({
      id: '1',
      at: [0, 9],
      attributes: { 'gen_ai.operation.name': 'invoke_agent', ...tokens(300, 30) },
    });
    const framework = call({ id: '2', parent: '1', at: [1, 4], attributes: tokens(100, 10) });
    const provider = call({
      id: '3',
      parent: '2',
      at: [2, 3],
      input: [user('a')],
      output: [assistant('b')],
      attributes: { ...tokens(100, 10), 'gen_ai.usage.cache_read.input_tokens': 40 },
    });
    const other = call({ id: '4', parent: '1', at: [5, 6], attributes: tokens(200, 20) });
    expect(assembled(agent, framework, provider, other).usage).toEqual({
      inputTokens: 300,
      outputTokens: 30,
      cacheReadTokens: 40,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    });
  });

  it('counts a failure where it arose', () => {
    const failed = { status: { code: 2, message: 'boom' } };
    const spans = [
      span({ id: '1', at: [0, 9], ...failed }),
      span({ id: '2', parent: '1', at: [1, 8], ...failed }),
      toolRun({ id: '3', parent: '2', at: [2, 3], tool: 'a', ...failed }),
      toolRun({ id: '4', parent: '2', at: [4, 5], tool: 'b', ...failed }),
    ];
    expect(assembled(...spans)).toMatchObject({ errorCount: 2, spanCount: 4 });
  });

  it('names agents, models, the user and the tools, and when it was', () => {
    const definition = (description: string) => [{ type: 'function', name: 'search', description, parameters: {} }];
    const first = call({
      id: '1',
      at: [0, 1],
      agent: 'triage',
      attributes: { 'gen_ai.tool.definitions': definition('old'), 'user.id': 'u1' },
    });
    const second = call({
      id: '2',
      at: [2, 3],
      agent: 'billing',
      attributes: { 'gen_ai.request.model': 'o3', 'gen_ai.tool.definitions': definition('new') },
    });
    expect(assembled(second, first, first)).toMatchObject({
      agents: ['triage', 'billing'],
      models: ['gpt-4o', 'o3'],
      userId: 'u1',
      tools: [{ name: 'search', description: 'new', parameters: {} }],
      startedAt: BEGINNING_MS,
      lastActivityAt: BEGINNING_MS + 3_000,
      spanCount: 2,
    });
  });

  it('has the scores of evaluation events, once each', () => {
    const spanOfCall = call({ id: '1', at: [0, 1], input: [user('hi')], output: [assistant('hello')] });
    const { traceId, spanId } = spanOfCall;
    const attributes = {
      'gen_ai.evaluation.name': 'Relevance',
      'gen_ai.evaluation.score.value': 0.2,
      'gen_ai.evaluation.score.label': 'fail',
      'gen_ai.evaluation.explanation': 'Off topic',
    };
    const log = {
      traceId,
      spanId,
      eventName: 'gen_ai.evaluation.result',
      timeUnixNano: unixNano(4),
      attributes,
      body: null,
    };
    const { scores, lastActivityAt } = assembleConversation({ spans: [spanOfCall], logs: [log, structuredClone(log)] });
    expect(scores).toMatchObject([
      {
        name: 'Relevance',
        value: 0.2,
        comment: 'fail: Off topic',
        source: 'evaluator',
        traceId,
        createdAt: BEGINNING_MS + 4_000,
      },
    ]);
    expect(lastActivityAt).toBe(BEGINNING_MS + 4_000);
  });

  it('has the scores of evaluations on any span', () => {
    const attributes = { 'gen_ai.evaluation.name': 'Tone', 'gen_ai.evaluation.score.label': 'pass' };
    const events = [{ name: 'gen_ai.evaluation.result', timeUnixNano: unixNano(1), attributes }];
    const kinds = ['CHAIN', 'RETRIEVER', 'EVALUATOR', 'AGENT', 'TOOL', 'LLM'];
    const spans = kinds.map((kind, index) =>
      span({ id: `${index + 1}`, parent: '9', at: [0, 1], attributes: { 'openinference.span.kind': kind }, events }),
    );
    expect(assembled(...spans).scores.map(({ name, value }) => [name, value])).toEqual(
      kinds.map(() => ['Tone', 'pass']),
    );
    expect(assembled(...spans).messages).toEqual([]);
  });

  it('of nothing is empty', () => {
    expect(assembleConversation({ spans: [], logs: [] })).toMatchObject({
      messages: [],
      spanCount: 0,
      errorCount: 0,
      userId: null,
      startedAt: 0,
      truncated: false,
    });
  });

  it('takes content from log records whose span never came', () => {
    const { traceId, spanId } = span({ id: '1', at: [0, 1] });
    const log = (eventName: string, seconds: number, body: unknown) => ({
      traceId,
      spanId,
      eventName,
      timeUnixNano: unixNano(seconds),
      attributes: {},
      body,
    });
    const logs = [
      log('gen_ai.choice', 2, { message: { content: 'hello' } }),
      log('gen_ai.user.message', 1, { content: 'hi' }),
    ];
    expect(assembleConversation({ spans: [], logs }).messages.map(({ content }) => content)).toEqual(['hi', 'hello']);
  });
});
