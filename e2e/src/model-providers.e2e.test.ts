import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DayUsage, Provider, ProviderTest } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { callApi } from './support/api.ts';
import { withMongo } from './support/database.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

const PROVIDERS = '/models/providers';
let loopback: ScriptedProvider;
let project: TestProject;

beforeAll(async () => {
  loopback = await startProvider({ apiKey: 'sk-provider' });
  project = await createTestProject('providers');
});

afterAll(() => loopback.stop());

const add = (name: string, more: object = {}, headers: Record<string, string> = {}) =>
  project.call<Provider>(PROVIDERS, { body: { name, baseUrl: 'https://api.acme.example/v1', ...more }, headers });

describe('a provider', () => {
  it('is made, read, listed, changed and removed, and never shows its key', async () => {
    const created = await add('acme', { apiKey: 'sk-very-secret' });
    expect(created).toMatchObject({ status: 201, body: { name: 'acme', hasApiKey: true } });
    expect(created.headers.get('location')).toBe(`/v1/projects/${project.id}${PROVIDERS}/acme`);
    const read = await project.call(`${PROVIDERS}/acme`);
    expect(read).toMatchObject({ status: 200, body: created.body });
    const listed = await project.call(PROVIDERS);
    expect(listed.body).toEqual({ providers: [created.body], nextCursor: null });
    const changed = await project.call(`${PROVIDERS}/acme`, { method: 'PATCH', body: { apiKey: null } });
    expect(changed).toMatchObject({ status: 200, body: { hasApiKey: false } });
    expect(JSON.stringify([created, read, listed, changed])).not.toContain('very-secret');
    expect((await project.call(`${PROVIDERS}/acme`, { method: 'DELETE' })).status).toBe(204);
    expect(await project.call(`${PROVIDERS}/acme`)).toMatchObject({
      status: 404,
      body: { code: 'PROVIDER_NOT_FOUND' },
    });
  });

  it('is not removed while a Dataset names one of its models', async () => {
    const body = {
      ...{ name: 'collected', schema: { type: 'chat', version: 1 } },
      ...{ collectionObjective: 'correct_failed_conversations', collectionModel: 'named/large' },
    };
    const dataset = await project.call<{ id: string }>('/datasets', { body });
    expect(dataset.status).toBe(201);
    const removed = async () => {
      await add('named');
      return project.call(`${PROVIDERS}/named`, { method: 'DELETE' });
    };
    // The services learn of each other's changes a moment later.
    await eventually(async () =>
      expect(await removed()).toMatchObject({ status: 409, body: { code: 'PROVIDER_IN_USE' } }),
    );
    await project.call(`/datasets/${dataset.body.id}`, { method: 'DELETE' });
    await eventually(async () => expect((await removed()).status).toBe(204));
  });

  it('is not removed while a Rule names one of its models for adjudication', async () => {
    const { body } = await project.call<{ rules: { ruleId: string }[] }>('/diagnostics/rules?limit=1');
    const name = async (adjudicationModel: string | null) => {
      const path = `/diagnostics/rules/${body.rules[0]?.ruleId}`;
      const change = { configuration: { adjudicationModel } };
      expect((await project.call(path, { method: 'PATCH', body: change })).status).toBe(200);
    };
    const removed = async () => {
      await add('judge');
      return project.call(`${PROVIDERS}/judge`, { method: 'DELETE' });
    };
    await name('judge/large');
    await eventually(async () =>
      expect(await removed()).toMatchObject({ status: 409, body: { code: 'PROVIDER_IN_USE' } }),
    );
    await name(null);
    await eventually(async () => expect((await removed()).status).toBe(204));
  });

  it('is made once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one provider' };
    const [first, again] = [await add('once', {}, headers), await add('once', {}, headers)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await add('once', { apiKey: 'sk-x' }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await add('once')).toMatchObject({ status: 409, body: { code: 'PROVIDER_EXISTS' } });
  });

  it('is changed and removed only as the state that If-Match names', async () => {
    const etag = (await add('tagged')).headers.get('etag') ?? '';
    const headers = { 'if-match': etag };
    const change = { method: 'PATCH', body: { apiKey: 'sk-1' }, headers };
    expect((await project.call(`${PROVIDERS}/tagged`, change)).status).toBe(200);
    const stale = { status: 412, body: { code: 'PRECONDITION_FAILED' } };
    expect(await project.call(`${PROVIDERS}/tagged`, change)).toMatchObject(stale);
    expect(await project.call(`${PROVIDERS}/tagged`, { method: 'DELETE', headers })).toMatchObject(stale);
  });

  it.each([
    ['a reserved name', { name: 'self' }, 'VALIDATION_FAILED'],
    ['an address with credentials', { baseUrl: 'https://u:p@a.example' }, 'VALIDATION_FAILED'],
    ['an unknown field', { key: 'x' }, 'VALIDATION_FAILED'],
    ['the metadata service', { baseUrl: 'http://169.254.169.254/v1' }, 'OUTBOUND_REFUSED'],
    ['a private address', { baseUrl: 'http://10.0.0.1/v1' }, 'OUTBOUND_REFUSED'],
  ])('is refused with %s', async (_name, more, code) => {
    expect(await add('refused', more)).toMatchObject({ status: 400, body: { code } });
  });

  it('of another project is one that does not exist, for providers and for calls', async () => {
    await add('mine', { baseUrl: loopback.url, apiKey: 'sk-provider' });
    const other = await createTestProject('no providers');
    expect(await other.call(`${PROVIDERS}/mine`)).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } });
    const body = { model: 'mine/tiny-chat', messages: [{ role: 'user', content: 'Hello' }] };
    const call = await callApi(other.apiKey, '/v1/chat/completions', { body });
    expect(call).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } });
  });

  it('takes workspace:read to read and models:manage to change', async () => {
    const path = `/v1/projects/${project.id}${PROVIDERS}`;
    const key = async (scope: 'workspace:read' | 'models:manage') =>
      (await createKey(project.id, { name: scope, scopes: [scope] })).secret;
    const [reader, manager] = [await key('workspace:read'), await key('models:manage')];
    const body = { name: 'scoped', baseUrl: 'https://a.example' };
    expect((await callApi(reader, path)).status).toBe(200);
    expect((await callApi(manager, path)).status).toBe(403);
    expect(await callApi(reader, path, { body })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await callApi(manager, path, { body })).status).toBe(201);
  });
});

describe('what a project can call', () => {
  let calls: TestProject;

  beforeAll(async () => {
    calls = await createTestProject('calls');
    await calls.call(PROVIDERS, { body: { name: 'loop', baseUrl: loopback.url, apiKey: 'sk-provider' } });
  });

  it('is seen by the test call of a provider, with the reason where it fails', async () => {
    const good = await calls.call<ProviderTest>(`${PROVIDERS}/loop/test`, { method: 'POST' });
    expect(good).toMatchObject({ status: 200, body: { ok: true, reason: null } });
    expect(good.body.models).toContain('loop/tiny-chat');
    await calls.call(PROVIDERS, { body: { name: 'badkey', baseUrl: loopback.url, apiKey: 'sk-other' } });
    const bad = await calls.call<ProviderTest>(`${PROVIDERS}/badkey/test`, { method: 'POST' });
    expect(bad.body).toMatchObject({ ok: false, reason: expect.any(String), models: [] });
  });

  it('has an availability, with the reason where it has none', async () => {
    const availability = (model: string) => calls.call(`/models/availability?model=${encodeURIComponent(model)}`);
    expect(await availability('loop/tiny-chat')).toMatchObject({
      status: 200,
      body: { available: expect.any(Boolean), capabilities: { chat: true } },
    });
    expect(await availability('nobody/model')).toMatchObject({
      body: { available: false, reason: 'provider_not_found' },
    });
    expect(await availability('self/nothing')).toMatchObject({
      body: { available: false, reason: 'service_not_running' },
    });
    expect(await availability('no-provider')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('is service/auto: the best that is there, or the default model that the project has chosen', async () => {
    const best = await calls.call('/models/availability?model=service%2Fauto');
    expect(best.body).toMatchObject({ available: true, resolvedModel: 'loop/tiny-chat' });
    const auto = { model: 'service/auto', messages: [{ role: 'user', content: 'Hello' }] };
    const settings = { method: 'PATCH', body: { defaultModel: 'loop/tiny-chat' } };
    expect((await calls.call('/models/settings', settings)).status).toBe(200);
    expect(await callApi(calls.apiKey, '/v1/chat/completions', { body: auto })).toMatchObject({
      status: 200,
      body: { choices: [{ message: { content: 'You said: Hello' } }] },
    });
  });

  it('and what the system asks for itself are told apart: its probes are metered, and become no conversation', async () => {
    const body = { model: 'loop/tiny-chat', messages: [{ role: 'user', content: 'From an application' }] };
    const headers = { 'x-conversation-id': 'of-an-application' };
    expect((await callApi(calls.apiKey, '/v1/chat/completions', { body, headers })).status).toBe(200);
    await calls.readyConversation('of-an-application');
    const { body: counted } = await calls.call<{ usage: DayUsage[] }>('/models/usage');
    const probes = counted.usage.find(({ origin, operation }) => origin === 'system' && operation === 'chat');
    expect(probes).toMatchObject({ model: 'loop/tiny-chat', outputTokens: expect.any(Number) });
    const found = async (words: string) => {
      const { body: listed } = await calls.call<{ conversations: object[] }>(`/conversations?q=${words}`);
      return listed.conversations.length;
    };
    expect(await found('application')).toBe(1);
    // This word occurs in the judgement probe, which must not become a conversation.
    expect(await found('verdicts')).toBe(0);
  });

  it('is counted by day and model', async () => {
    const body = { model: 'loop/tiny-embedding', input: ['a'] };
    expect((await callApi(calls.apiKey, '/v1/embeddings', { body })).status).toBe(200);
    await eventually(async () => {
      const { body: counted } = await calls.call<{ usage: DayUsage[] }>('/models/usage');
      const [embedded] = counted.usage.filter(({ operation }) => operation === 'embeddings');
      expect(embedded).toMatchObject({ model: 'loop/tiny-embedding', origin: 'caller', calls: 1, failedCalls: 0 });
    });
  });
});

it('the key of a provider lies encrypted in the database', async () => {
  await add('sealed', { apiKey: 'sk-sealed-in-the-database' });
  await withMongo(async (connection) => {
    const providers = connection.useDb('clew_models').collection('providers');
    const stored = await providers.findOne({ projectId: project.id, name: 'sealed' });
    expect(stored).toMatchObject({ apiKey: { v: 1, ct: expect.any(String) } });
    expect(JSON.stringify(stored)).not.toContain('sealed-in-the-database');
  });
});
