import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EngineInstallation, RuntimeActivity, RuntimeSnapshot } from '@clew/contracts';
import { eventually } from '@clew/testing';
import { callApi } from './support/api.ts';
import { modelRuntimeOf } from './support/model-runtime.ts';
import { runningStack } from './support/stack.ts';
import { createKey, createTestProject, type TestProject } from './support/test-project.ts';

const CHAT = '/models/smollm2-135m-instruct';
let project: TestProject;
let profile: string;

beforeAll(async () => {
  project = await createTestProject('runtime routes');
  profile = `${CHAT}/profiles/${await modelRuntimeOf(project).profileOf('smollm2-135m-instruct')}`;
});

describe('the runtime snapshot', () => {
  it('shows the node, the three engines, and nothing that the project did not ask for', async () => {
    const { status, body } = await project.call<RuntimeSnapshot>('/models/runtime');
    expect(status).toBe(200);
    expect(body.node).toMatchObject({ status: 'online', memory: { totalBytes: expect.any(Number) } });
    expect(body.engines.map(({ engine, state }) => [engine, state])).toEqual([
      ['llama.cpp', 'not_installed'],
      ['vllm', 'not_installed'],
      ['faster-whisper', 'not_installed'],
    ]);
    expect(body).toMatchObject({ downloads: [], services: [] });
  });

  it('stands beside the catalog page', async () => {
    const { body } = await project.call<{ runtime: RuntimeSnapshot }>('/models/catalog?limit=1');
    expect(body.runtime.engines).toHaveLength(3);
  });
});

describe('an engine installation', () => {
  it('is accepted before it is complete, is polled through runtime and activity, and is cancelled by its generation', async () => {
    const other = await createTestProject('another runtime');
    const { status, body } = await other.call<EngineInstallation>('/models/engines/engine_2/installations', {
      method: 'POST',
    });
    expect(status).toBe(202);
    expect(body).toMatchObject({ engine: 'vllm', generation: expect.any(Number) });
    // vLLM needs a GPU: without one, its installation fails and gives that reason.
    await eventually(async () => {
      const { body: activity } = await other.call<{ activity: RuntimeActivity[] }>('/models/activity');
      expect(activity.activity).toEqual([expect.objectContaining({ kind: 'engine', engine: 'vllm' })]);
    });
    const path = (generation: number) => `/models/engines/vllm/installations/${generation}`;
    expect((await other.call(path((body.generation ?? 0) + 1), { method: 'DELETE' })).status).toBe(404);
    expect((await other.call(path(body.generation ?? 0), { method: 'DELETE' })).status).toBe(202);
    await eventually(async () =>
      expect((await other.call(path(body.generation ?? 0), { method: 'DELETE' })).status).toBe(204),
    );
    expect((await project.call('/models/engines/vllm', { method: 'DELETE' })).status).toBe(204);
  });
});

describe('the activity', () => {
  it('is a stream of events for who asks for one', async () => {
    const url = new URL(`/v1/projects/${project.id}/models/activity`, runningStack().gatewayUrl);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${project.apiKey}`, accept: 'text/event-stream' };
    const response = await fetch(url, { headers, signal: leaving.signal });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    leaving.abort();
  });
});

const trial = (more: object = {}): object => ({
  path: '/v1/chat/completions',
  contentType: 'application/json',
  body: { model: 'self/smollm2-135m-instruct', messages: [] },
  ...more,
});

describe('a request of the Model Runtime that makes no sense is refused with its code', () => {
  const refused: readonly (readonly [string, string, () => string, object | undefined, number, string])[] = [
    ['an unknown engine', 'POST', () => '/models/engines/gpt/installations', undefined, 404, 'ENGINE_NOT_FOUND'],
    ['an unknown model', 'POST', () => '/models/nothing/profiles/q4/downloads', undefined, 404, 'MODEL_NOT_FOUND'],
    ['an unknown profile', 'POST', () => `${CHAT}/profiles/nothing/downloads`, undefined, 404, 'PROFILE_NOT_FOUND'],
    ['a service before the engine', 'PUT', () => `${profile}/service`, undefined, 409, 'ENGINE_NOT_INSTALLED'],
    ['a service with unknown options', 'PUT', () => `${profile}/service`, { gpu: 1 }, 400, 'VALIDATION_FAILED'],
    ['the end of no service', 'DELETE', () => '/models/nothing/profiles/q4/service', undefined, 404, 'MODEL_NOT_FOUND'],
    ['the removal of no profile', 'DELETE', () => `${CHAT}/profiles/nothing`, undefined, 404, 'PROFILE_NOT_FOUND'],
    ['a generation that was never there', 'DELETE', () => `${profile}/downloads/7`, undefined, 404, 'NOT_FOUND'],
    ['a generation that is no number', 'DELETE', () => `${profile}/downloads/x`, undefined, 404, 'NOT_FOUND'],
    ['a trial of a service that does not run', 'POST', () => `${profile}/trials`, trial(), 409, 'SERVICE_NOT_RUNNING'],
    [
      'the trial of an unknown model',
      'POST',
      () => '/models/nothing/profiles/q4/trials',
      trial(),
      404,
      'MODEL_NOT_FOUND',
    ],
    [
      'a trial of a profile that there is not',
      'POST',
      () => `${CHAT}/profiles/q9/trials`,
      trial(),
      404,
      'PROFILE_NOT_FOUND',
    ],
    ['the removal of an unknown engine', 'DELETE', () => '/models/engines/gpt', undefined, 404, 'ENGINE_NOT_FOUND'],
  ];

  it.each(refused)('%s', async (_name, method, path, body, status, code) => {
    const answer = await project.call(path(), { method, ...(body === undefined ? {} : { body }) });
    expect(answer).toMatchObject({ status, body: { code, requestId: expect.any(String) } });
  });
});

describe('a trial', () => {
  const body = { model: 'self/smollm2-135m-instruct', messages: [] };
  it.each([
    ['without a path', { path: undefined }, 'body.path'],
    ['of a path that climbs out', { path: '/v1/../metrics' }, 'body.path'],
    [
      'of a path that climbs out behind one that is served',
      { path: '/v1/chat/completions/../../../slots' },
      'body.path',
    ],
    ['of a path that is not OpenAI-compatible', { path: '/slots' }, 'body.path'],
    ['of another host', { path: '//evil.example/v1/chat/completions' }, 'body.path'],
    ['of a path that its engine does not serve', { path: '/v1/audio/transcriptions' }, 'body.path'],
    ['without a content type', { contentType: undefined }, 'body.contentType'],
    ['of another content type', { contentType: 'text/plain' }, 'body.contentType'],
    ['of a content type that its path does not take', { contentType: 'multipart/form-data' }, 'body.contentType'],
    ['without a body', { body: undefined }, 'body.body'],
    ['with a body that is no object', { body: [] }, 'body.body'],
    ['without a model', { body: { messages: [] } }, 'body.body.model'],
    ['of another model', { body: { ...body, model: 'self/whisper-tiny.en' } }, 'body.body.model'],
    [
      'of a model that is not in the form self/<model_id>',
      { body: { ...body, model: 'smollm2-135m-instruct' } },
      'body.body.model',
    ],
    ['with an unknown field', { url: 'http://evil.example' }, 'body'],
  ])('%s is 400, and the field is named', async (_name, more, path) => {
    const answer = await project.call(`${profile}/trials`, { body: trial(more) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body).toHaveProperty('details', expect.arrayContaining([{ path, message: expect.any(String) }]));
  });
});

describe('the engine in a path', () => {
  it.each([
    ['engine_1', 'llama.cpp'],
    ['engine_2', 'vllm'],
    ['engine_3', 'faster-whisper'],
  ])('%s names %s', async (alias, engine) => {
    const other = await createTestProject('aliases');
    const begun = await other.call<EngineInstallation>(`/models/engines/${alias}/installations`, { method: 'POST' });
    expect(begun.body).toMatchObject({ engine, generation: expect.any(Number) });
    const ended = await other.call(`/models/engines/${engine}/installations/${begun.body.generation}`, {
      method: 'DELETE',
    });
    // 204 if another project keeps the engine.
    expect([202, 204]).toContain(ended.status);
  });
});

describe('access to the Model Runtime', () => {
  it('reads take workspace:read, mutations models:manage, trials gateway:invoke or project:data:write', async () => {
    const call = async (
      scopes: Parameters<typeof createKey>[1]['scopes'],
      path: string,
      method = 'GET',
      body?: object,
    ) => {
      const { secret } = await createKey(project.id, { name: 'scoped', ...(scopes === undefined ? {} : { scopes }) });
      const url = `/v1/projects/${project.id}${path}`;
      return (await callApi(secret, url, { method, ...(body === undefined ? {} : { body }) })).status;
    };
    expect(await call(['workspace:read'], '/models/runtime')).toBe(200);
    expect(await call(['models:manage'], '/models/runtime')).toBe(403);
    expect(await call(['models:manage'], `${profile}/service`, 'PUT')).toBe(409);
    expect(await call(['workspace:read'], `${profile}/service`, 'PUT')).toBe(403);
    expect(await call(['gateway:invoke'], `${profile}/trials`, 'POST', trial())).toBe(409);
    expect(await call(['project:data:write'], `${profile}/trials`, 'POST', trial())).toBe(409);
    expect(await call(['models:manage'], `${profile}/trials`, 'POST', trial())).toBe(403);
  });

  it('of another project is refused as if there were nothing', async () => {
    const { otherProjectId } = runningStack();
    expect((await callApi(project.apiKey, `/v1/projects/${otherProjectId}/models/runtime`)).status).toBe(404);
  });
});
