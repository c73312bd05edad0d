import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { eventually, explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { startTestService, type Recorded, type TestService } from '../../test-support/service.ts';
import { pointModel } from './conversation-point.model.ts';

const environment = useTestEnvironment();
/** Two replicas, which receive a client's calls in turn. */
let services: [TestService, TestService];
let provider: ScriptedProvider;
let projectId: string;

beforeAll(async () => {
  services = [await startTestService(environment), await startTestService(environment)];
  provider = await startProvider();
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await provider.stop();
});

beforeEach(async () => {
  projectId = newId('prj');
  const body = { name: 'loop', baseUrl: provider.url };
  await services[0].call({ projectId, path: `/v1/projects/${projectId}/models/providers`, body });
});

function recorded() {
  return services
    .flatMap((service): Recorded[] => service.recorded)
    .filter((message) => message.projectId === projectId)
    .flatMap(({ data }) => data.groups.flatMap(({ spans }) => spans));
}

async function recordedSpans(count: number) {
  await eventually(() => expect(recorded()).toHaveLength(count));
  return recorded().toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
}

interface Message {
  role: string;
  content: string;
}

async function chat(
  messages: Message[],
  more: { body?: object; headers?: Record<string, string>; turn?: number } = {},
) {
  const service = services[(more.turn ?? 0) % 2] as TestService;
  const { body } = await service.call<{ choices: { message: Message }[] }>({
    projectId,
    path: '/v1/chat/completions',
    body: { model: 'loop/tiny-chat', messages, ...more.body },
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  });
  return body.choices?.[0]?.message as Message;
}

const HELLO = [{ role: 'user', content: 'Hello there' }];

describe('a call', () => {
  it('becomes a span with what was asked, answered and used', async () => {
    const body = { temperature: 0.5, user: 'u-1', tools: [{ type: 'function', function: { name: 'add' } }] };
    await chat([{ role: 'system', content: 'Be brief' }, ...HELLO], { body });
    const [span] = await recordedSpans(1);
    expect(span).toMatchObject({
      name: 'chat tiny-chat',
      kind: 3,
      statusCode: 0,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'loop',
        'gen_ai.request.model': 'tiny-chat',
        'clew.request.model': 'loop/tiny-chat',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.conversation.id': expect.stringMatching(/^conv_/),
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.response.finish_reasons': ['stop'],
        'user.id': 'u-1',
        'gen_ai.input.messages': [
          { role: 'system', parts: [{ type: 'text', content: 'Be brief' }] },
          { role: 'user', parts: [{ type: 'text', content: 'Hello there' }] },
        ],
        'gen_ai.output.messages': [
          { role: 'assistant', parts: [{ type: 'text', content: 'You said: Hello there' }], finish_reason: 'stop' },
        ],
        'gen_ai.tool.definitions': [{ type: 'function', name: 'add' }],
      },
    });
  });

  it('that is streamed becomes the same span, usage included', async () => {
    provider.script({ text: 'I will add', toolCalls: [{ id: 'call_1', name: 'add', arguments: { a: 1, b: [2] } }] });
    await services[0].call({
      projectId,
      path: '/v1/chat/completions',
      body: { model: 'loop/tiny-chat', messages: HELLO, stream: true },
    });
    const [span] = await recordedSpans(1);
    expect(span?.attributes).toMatchObject({
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.output.messages': [
        {
          parts: [
            { type: 'text', content: 'I will add' },
            { type: 'tool_call', id: 'call_1', name: 'add', arguments: { a: 1, b: [2] } },
          ],
        },
      ],
    });
  });

  it('that failed becomes a span that says how, and one that was broken off keeps what was said', async () => {
    provider.script({ status: 400 });
    await chat(HELLO);
    provider.script({ text: 'one two three', cutAfter: 3 });
    await chat([{ role: 'user', content: 'Count' }], { body: { stream: true } }).catch(() => undefined);
    const spans = await recordedSpans(2);
    expect(spans.map(({ statusMessage }) => statusMessage).toSorted()).toEqual([
      'provider_refused',
      'provider_unavailable',
    ]);
    const broken = spans.find(({ statusMessage }) => statusMessage === 'provider_unavailable');
    expect(JSON.stringify(broken?.attributes['gen_ai.output.messages'])).toContain('one two');
  });

  it('belongs to the conversation that it names, in the header or in its metadata', async () => {
    await chat(HELLO, { headers: { 'x-conversation-id': 'mine' } });
    await chat(HELLO, { body: { metadata: { conversation_id: 'mine' } } });
    const spans = await recordedSpans(2);
    expect(spans.map(({ attributes }) => attributes['gen_ai.conversation.id'])).toEqual(['mine', 'mine']);
  });

  it('is part of the trace that it says', async () => {
    await chat(HELLO, { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } });
    expect(await recordedSpans(1)).toMatchObject([{ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) }]);
  });

  it('with a conversation id that none can be is refused', async () => {
    const answer = await services[0].call({
      projectId,
      path: '/v1/chat/completions',
      body: { model: 'loop/tiny-chat', messages: HELLO, metadata: { conversation_id: 7 } },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'metadata.conversation_id' } } });
  });
});

describe('an unchanged client', () => {
  it('has one conversation for its chat of ten turns, whichever replica takes the calls', async () => {
    const history: Message[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      history.push({ role: 'user', content: `Question ${turn}` });
      history.push(await chat(history, { turn }));
    }
    const spans = await recordedSpans(10);
    expect(new Set(spans.map(({ attributes }) => attributes['gen_ai.conversation.id'])).size).toBe(1);
  });

  it('is found by an index', async () => {
    const model = pointModel(services[0].database.connection);
    await explainUsesIndex(model.find({ projectId, hash: { $in: ['a', 'b'] } }).sort({ at: 1 }));
  });
});

describe("the system's own calls", () => {
  const asSystem = { kind: 'service', id: 'jobs-worker' } as const;

  it('are metered, and become no conversation', async () => {
    const answer = await services[0].call({
      projectId,
      principal: asSystem,
      path: `/internal/v1/projects/${projectId}/chat/completions`,
      body: { model: 'loop/tiny-chat', messages: HELLO },
    });
    expect(answer.status).toBe(200);
    await chat(HELLO);
    await recordedSpans(1);
    const usage = () => services[0].call({ projectId, path: `/v1/projects/${projectId}/models/usage` });
    await eventually(async () => {
      const { body } = await usage();
      expect(body).toMatchObject({
        usage: [
          { origin: 'system', model: 'loop/tiny-chat', operation: 'chat', calls: 1, outputTokens: 4 },
          { origin: 'caller', model: 'loop/tiny-chat', operation: 'chat', calls: 1, outputTokens: 4 },
        ],
        nextCursor: null,
      });
    });
    expect(recorded()).toHaveLength(1);
  });

  it('do not exist for callers', async () => {
    const path = `/internal/v1/projects/${projectId}/chat/completions`;
    const answer = await services[0].call({ projectId, path, body: { model: 'loop/tiny-chat', messages: HELLO } });
    expect(answer.status).toBe(404);
  });

  it('end with the budget of the project, those of its applications do not', async () => {
    const settings = `/v1/projects/${projectId}/models/settings`;
    await services[0].call({ method: 'PATCH', projectId, path: settings, body: { dailySystemTokens: 0 } });
    const answer = await services[0].call({
      projectId,
      principal: asSystem,
      path: `/internal/v1/projects/${projectId}/chat/completions`,
      body: { model: 'loop/tiny-chat', messages: HELLO },
    });
    expect(answer).toMatchObject({ status: 429, body: { error: { code: 'token_budget_exhausted' } } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await chat(HELLO)).toMatchObject({ content: 'You said: Hello there' });
  });
});
