import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { modelAvailabilityChanged, type ModelAvailability, type ModelSettingsView } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { eventually, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { defaultAnswer, startProvider, type ChatRequest, type ScriptedProvider } from '@clew/testing/provider';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { capabilityModel } from './capabilities.store.ts';
import { JUDGEMENT_CASES } from './judgement-test.ts';

const environment = useTestEnvironment();
const RIGHT = JUDGEMENT_CASES.map(({ isSupported }) => isSupported);
let service: TestService;
let provider: ScriptedProvider;
let projectId: string;
/** Promise that the provider's answers wait for. */
let held: Promise<void> | undefined;

/** Models with different capabilities. */
async function reply(request: ChatRequest) {
  await held;
  const isJudging = JSON.stringify(request.messages).includes('verdicts');
  if (isJudging)
    return { text: JSON.stringify({ verdicts: request.model === 'wise' ? RIGHT : RIGHT.map(() => true) }) };
  if (request.model === 'plain') return { text: 'words only' };
  if (['text-embedding', 'gone'].includes(String(request.model))) return { status: 404 };
  if (['meaning', 'mute'].includes(request.model)) return { status: 400 };
  if (JSON.stringify(request.messages).includes('red balls')) return { text: '{"colour":"red","count":3}' };
  // The model rambles if only JSON mode is requested.
  if (request.model === 'strict' && JSON.stringify(request).includes('json_object')) return { text: '{"a": {"a":' };
  return defaultAnswer(request);
}

const embed = (_text: string, model: string) => (model === 'mute' ? undefined : [0.6, 0.8]);

beforeAll(async () => {
  service = await startTestService(environment);
  provider = await startProvider({
    apiKey: 'sk-secret',
    models: ['plain', 'handy', 'wise', 'text-embedding'],
    reply,
    embed,
  });
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

beforeEach(async () => {
  projectId = newId('prj');
  provider.requests.length = 0;
  await addProvider('loop', { apiKey: 'sk-secret' });
});

async function addProvider(name: string, more: object = {}) {
  const path = `/v1/projects/${projectId}/models/providers`;
  await service.call({ projectId, path, body: { name, baseUrl: provider.url, ...more } });
}

async function availability(model: string, purpose = 'general') {
  const path = `/v1/projects/${projectId}/models/availability?model=${encodeURIComponent(model)}&purpose=${purpose}`;
  const { status, body } = await service.call({ projectId, path });
  return status === 200 ? body : { status, ...body };
}

/** Runs work while the provider answers nothing. */
async function whileHeld(work: () => Promise<void>) {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  try {
    await work();
  } finally {
    held = undefined;
    gate.resolve();
  }
}

/** Asks in the same way as another service. */
async function availabilities(models: readonly string[], waitMs?: number) {
  const { status, body } = await service.call<{ availabilities: ModelAvailability[] }>({
    principal: { kind: 'service', id: 'datasets-svc' },
    ...{ projectId, path: `/internal/v1/projects/${projectId}/models/availability` },
    body: { models, ...(waitMs === undefined ? {} : { waitMs }) },
  });
  expect(status).toBe(200);
  return Object.fromEntries(body.availabilities.map(({ model, available, reason }) => [model, { available, reason }]));
}

async function events() {
  return (await emittedMessages(service.database, modelAvailabilityChanged, projectId)).map(({ data }) => data);
}

describe('the availability of a model', () => {
  it.each([
    ['wise', { jsonMode: true, jsonSchema: true, tools: true, judgement: true, judgementScore: 1 }],
    ['handy', { jsonMode: true, jsonSchema: true, tools: true, judgement: false, judgementScore: 0.5 }],
    ['strict', { jsonMode: true, jsonSchema: true, judgement: false }],
  ])('of %s comes with what it was seen to do', async (model, capabilities) => {
    expect(await availability(`loop/${model}`)).toMatchObject({ available: true, reason: null, capabilities });
  });

  it('is remembered: the second question asks the provider nothing', async () => {
    await availability('loop/wise');
    const asked = provider.requests.length;
    expect(await availability('loop/wise')).toMatchObject({ available: true });
    expect(provider.requests).toHaveLength(asked);
  });

  it.each([
    ['loop/plain', 'no_json_mode'],
    ['nobody/model', 'provider_not_found'],
    ['self/model', 'service_not_running'],
  ])('of %s is denied: %s', async (model, reason) => {
    expect(await availability(model)).toMatchObject({ available: false, reason });
  });

  it('is denied with the reason where the provider refuses', async () => {
    await addProvider('badkey', { apiKey: 'sk-other' });
    await addProvider('away', { baseUrl: 'http://127.0.0.1:9/v1' });
    expect(await availability('badkey/wise')).toMatchObject({ available: false, reason: 'credentials_refused' });
    expect(await availability('away/wise')).toMatchObject({ available: false, reason: 'provider_unreachable' });
    provider.script({ status: 404 });
    expect(await availability('loop/none')).toMatchObject({ available: false, reason: 'model_not_found' });
  });

  it('of what is no model name is 400', async () => {
    expect(await availability('model')).toMatchObject({ status: 400 });
    expect(await service.call({ projectId, path: `/v1/projects/${projectId}/models/availability` })).toMatchObject({
      status: 400,
    });
  });

  it('changes with its provider, and says so in an event each time', async () => {
    await availability('loop/wise');
    const path = `/v1/projects/${projectId}/models/providers/loop`;
    await service.call({ method: 'PATCH', projectId, path, body: { apiKey: 'sk-wrong' } });
    await eventually(async () => expect(await events()).toHaveLength(2));
    await service.call({ method: 'DELETE', projectId, path });
    await eventually(async () => expect(await events()).toHaveLength(3));
    await addProvider('loop', { apiKey: 'sk-secret' });
    await eventually(async () => expect(await events()).toHaveLength(4));
    expect(await events()).toEqual([
      { model: 'loop/wise', available: true, reason: null },
      { model: 'loop/wise', available: false, reason: 'credentials_refused' },
      { model: 'loop/wise', available: false, reason: 'provider_not_found' },
      { model: 'loop/wise', available: true, reason: null },
    ]);
  });
});

describe('whether a model embeds', () => {
  it('is found where it does not chat, which it is unavailable for all the same', async () => {
    expect(await availability('loop/meaning')).toMatchObject({
      ...{ available: false, reason: 'no_chat', capabilities: { chat: false, embeddings: true } },
    });
    expect(provider.requests.filter(({ path }) => path.endsWith('/embeddings'))).toHaveLength(1);
    expect(await availability('loop/meaning', 'embedding')).toMatchObject({ available: true, reason: null });
  });

  it('is asked of a model whose name says so, also where its provider says that it knows none to chat with', async () => {
    expect(await availability('loop/text-embedding')).toMatchObject({ available: false, reason: 'no_chat' });
    expect(await availability('loop/text-embedding', 'embedding')).toMatchObject({ available: true });
  });

  it('is not asked of a model that chats, and is not so where it refuses', async () => {
    expect(await availability('loop/wise', 'embedding')).toMatchObject({
      ...{ available: false, reason: 'no_embeddings', capabilities: { chat: true, embeddings: false } },
    });
    expect(provider.requests.filter(({ path }) => path.endsWith('/embeddings'))).toEqual([]);
    expect(await availability('loop/mute')).toMatchObject({ reason: 'no_chat', capabilities: null });
    expect(await availability('loop/mute', 'embedding')).toMatchObject({ reason: 'no_embeddings' });
  });

  it('is of service/auto what embeds and can be reached: never the default, which is there to chat', async () => {
    const path = `/v1/projects/${projectId}/models/settings`;
    await service.call({ method: 'PATCH', projectId, path, body: { defaultModel: 'loop/wise' } });
    const auto = () => availability('service/auto', 'embedding');
    expect(await auto()).toMatchObject({ available: true, resolvedModel: 'loop/text-embedding' });
    const answer = await service.call({
      projectId,
      path: '/v1/embeddings',
      body: { model: 'service/auto', input: ['a text'] },
    });
    expect(answer.body).toMatchObject({ model: 'text-embedding' });
    await service.call({ method: 'DELETE', projectId, path: `/v1/projects/${projectId}/models/providers/loop` });
    expect(await auto()).toMatchObject({ available: false, reason: 'no_suitable_model', resolvedModel: null });
  });

  it('is known first of what service/auto may be, which asks no provider again', async () => {
    await availability('loop/meaning');
    provider.requests.length = 0;
    expect(await availability('service/auto', 'embedding')).toMatchObject({ resolvedModel: 'loop/meaning' });
    expect(provider.requests).toEqual([]);
  });

  it('is tried for service/auto of three models of a provider at most, by their names', async () => {
    const models = Array.from({ length: 9 }, (_, index) => `text-embedding-${index}`);
    const many = await startProvider({ models: ['wise', ...models], reply, embed: () => undefined });
    await addProvider('many', { baseUrl: many.url });
    expect(await availability('service/auto', 'embedding')).toMatchObject({ resolvedModel: 'loop/text-embedding' });
    const tried = many.requests.filter(({ path }) => path.endsWith('/embeddings')).length;
    await many.stop();
    expect(tried).toBe(3);
  });
});

describe('the availability of many models', () => {
  const YES = { available: true, reason: null };

  it('is that of each, whatever the others are, and of one that is named twice once', async () => {
    const models = ['loop/wise', 'loop/plain', 'nobody/x', 'no name', 'Loop/wise', 'service/auto', 'loop/wise'];
    const none = { available: false, reason: 'provider_not_found' };
    expect(await availabilities(models)).toEqual({
      ...{ 'loop/wise': YES, 'service/auto': YES, 'nobody/x': none, 'no name': none, 'Loop/wise': none },
      'loop/plain': { available: false, reason: 'no_json_mode' },
    });
  });

  it('is that of a thousand at once, and no more', async () => {
    const models = Array.from({ length: 1_001 }, (_, index) => `nobody/${index}`);
    // Asking again tells what a slow machine did not find in time.
    const found = new Set<string>();
    await eventually(async () => {
      for (const model of Object.keys(await availabilities(models.slice(1)))) found.add(model);
      expect([...found].toSorted()).toEqual(models.slice(1).toSorted());
    });
    const path = `/internal/v1/projects/${projectId}/models/availability`;
    const principal = { kind: 'service', id: 'datasets-svc' } as const;
    expect(await service.call({ principal, projectId, path, body: { models } })).toMatchObject({ status: 400 });
  });

  it('leaves out what is not known in time, and tells the next who asks; what is known waits for nothing', async () => {
    await availability('loop/handy');
    const slow = Array.from({ length: 40 }, (_, index) => `loop/slow-${index}`);
    await whileHeld(async () => {
      expect(await availabilities([...slow, 'loop/handy', 'nobody/x'], 200)).toEqual({ 'loop/handy': YES });
    });
    expect(Object.keys(await availabilities(slow))).toHaveLength(40);
  });

  it('is what was last known of a model that is being looked at again', async () => {
    await availability('loop/wise');
    service.clock.advance(25 * 3_600_000);
    await whileHeld(async () => {
      expect(await availabilities(['loop/wise'], 100)).toEqual({ 'loop/wise': YES });
    });
  });
});

describe('service/auto', () => {
  it('is the best model that is there, and none that does not chat is tried', async () => {
    // Own provider, since checks begun by other tests may still reach the common one.
    const own = await startProvider({ models: ['plain', 'wise', 'text-embedding'], reply });
    await addProvider('own', { baseUrl: own.url });
    const { available, resolvedModel } = await availability('service/auto');
    expect({ available, resolvedModel }).toEqual({ available: true, resolvedModel: expect.stringMatching(/\/wise$/) });
    const tried = new Set(own.requests.map(({ body }) => (body as { model?: string } | undefined)?.model));
    expect([tried.has('wise'), tried.has('text-embedding')]).toEqual([true, false]);
    await own.stop();
  });

  it('is what the project has chosen, but for judgement only what passes the test', async () => {
    const path = `/v1/projects/${projectId}/models/settings`;
    const changed = await service.call({ method: 'PATCH', projectId, path, body: { defaultModel: 'loop/handy' } });
    expect(changed).toMatchObject({ status: 200, body: { settings: { defaultModel: 'loop/handy' } } });
    expect(await availability('service/auto')).toMatchObject({ resolvedModel: 'loop/handy' });
    expect(await availability('service/auto', 'judgement')).toMatchObject({ resolvedModel: 'loop/wise' });
    const answer = await service.call({
      projectId,
      path: '/v1/chat/completions',
      body: { model: 'service/auto', messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(answer.body).toMatchObject({ model: 'handy' });
  });

  it('is not there in a project without models', async () => {
    projectId = newId('prj');
    expect(await availability('service/auto')).toMatchObject({
      available: false,
      reason: 'no_suitable_model',
      resolvedModel: null,
    });
  });

  it('is chosen at once however slow the model is, which is looked at afterwards, and the settings tell what came of it', async () => {
    const path = `/v1/projects/${projectId}/models/settings`;
    const stateOf = async () => {
      const { body } = await service.call<{ settings: ModelSettingsView }>({ projectId, path });
      return body.settings.defaultModelState;
    };
    await whileHeld(async () => {
      const changed = await service.call({ method: 'PATCH', projectId, path, body: { defaultModel: 'loop/wise' } });
      const checking = { status: 'checking', reason: null, checkedAt: null };
      expect(changed).toMatchObject({ status: 200, body: { settings: { defaultModelState: checking } } });
      // The check continues without anybody waiting for it; if this process ends, another one takes it over.
      await eventually(() => expect(provider.requests.length).toBeGreaterThan(0));
      expect(await stateOf()).toEqual(checking);
      expect(await availabilities(['loop/wise'], 0)).toEqual({});
      const row = await capabilityModel(service.database.connection).findOne({ projectId }).lean();
      expect(row).toMatchObject({ model: 'loop/wise', dueAt: service.clock.now() });
    });
    await eventually(async () => expect(await stateOf()).toMatchObject({ status: 'available', reason: null }));
    expect(await events()).toEqual([{ model: 'loop/wise', available: true, reason: null }]);
  });

  it('says of a default model that cannot be used why, and refuses it once that is known', async () => {
    const path = `/v1/projects/${projectId}/models/settings`;
    const body = { defaultModel: 'loop/gone' };
    expect(await service.call({ method: 'PATCH', projectId, path, body })).toMatchObject({ status: 200 });
    const state = { status: 'unavailable', reason: 'model_not_found' };
    await eventually(async () => {
      const read = await service.call({ projectId, path });
      expect(read.body).toMatchObject({ settings: { defaultModelState: state } });
    });
    expect(await service.call({ method: 'PATCH', projectId, path, body })).toMatchObject({
      ...{ status: 400, body: { details: [{ path: 'body.defaultModel', message: 'is unknown to its provider' }] } },
    });
    const none = await service.call({ method: 'PATCH', projectId, path, body: { defaultModel: null } });
    expect(none.body).toMatchObject({ settings: { defaultModel: null, defaultModelState: null } });
  });

  it('cannot be a model of an unknown provider', async () => {
    const path = `/v1/projects/${projectId}/models/settings`;
    for (const defaultModel of ['nobody/model', 'service/auto', 'model']) {
      const changed = await service.call({ method: 'PATCH', projectId, path, body: { defaultModel } });
      expect(changed).toMatchObject({ status: 400, body: { details: [{ path: 'body.defaultModel' }] } });
    }
  });
});
