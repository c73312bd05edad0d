import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { nativeDb } from '@clew/persistence';
import { useTestEnvironment } from '@clew/testing';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { keyWith } from '@clew/testing/identities';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
let service: TestService;
let provider: ScriptedProvider;

beforeAll(async () => {
  service = await startTestService(environment);
  provider = await startProvider({ apiKey: 'sk-secret' });
});

afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const pathOf = (projectId: string, name = '') =>
  `/v1/projects/${projectId}/models/providers${name === '' ? '' : `/${name}`}`;

async function create(projectId: string, body: object) {
  return await service.call({ projectId, path: pathOf(projectId), body });
}

describe('a provider', () => {
  it('is created with 201 and Location, read, listed, and never shows its key', async () => {
    const projectId = newId('prj');
    const body = { name: 'acme', baseUrl: 'https://api.acme.example/v1/', apiKey: 'sk-secret' };
    const created = await create(projectId, body);
    expect(created).toMatchObject({ status: 201, body: { name: 'acme', baseUrl: 'https://api.acme.example/v1' } });
    expect(created.headers.get('location')).toBe(pathOf(projectId, 'acme'));
    const read = await service.call({ projectId, path: pathOf(projectId, 'acme') });
    expect(read.body).toEqual(created.body);
    const listed = await service.call({ projectId, path: pathOf(projectId) });
    expect(listed.body).toEqual({ providers: [created.body], nextCursor: null });
    for (const { text } of [created, read, listed]) expect(text).not.toContain('sk-secret');
    expect(created.body).toMatchObject({ hasApiKey: true });
  });

  it('has its key encrypted in the database', async () => {
    const projectId = newId('prj');
    await create(projectId, { name: 'openai', apiKey: 'sk-very-secret' });
    const stored = await nativeDb(service.database.connection).collection('providers').findOne({ projectId });
    expect(stored).toMatchObject({ apiKey: { v: 1, ct: expect.any(String) } });
    expect(JSON.stringify(stored)).not.toContain('very-secret');
  });

  it.each([
    ['openai', 'https://api.openai.com/v1'],
    ['anthropic', 'https://api.anthropic.com/v1'],
  ])('named %s has a known address', async (name, baseUrl) => {
    expect(await create(newId('prj'), { name })).toMatchObject({ status: 201, body: { baseUrl, hasApiKey: false } });
  });

  it.each([
    ['a name that is reserved', { name: 'self', baseUrl: 'https://a.example' }, 'body.name'],
    ['a name with a slash', { name: 'a/b', baseUrl: 'https://a.example' }, 'body.name'],
    ['no address', { name: 'acme' }, 'body.baseUrl'],
    ['an address of another protocol', { name: 'acme', baseUrl: 'ftp://a.example' }, 'body.baseUrl'],
    ['an address with credentials', { name: 'acme', baseUrl: 'https://u:p@a.example' }, 'body.baseUrl'],
    ['an address with a query', { name: 'acme', baseUrl: 'https://a.example/?a=1' }, 'body.baseUrl'],
    ['the metadata service', { name: 'acme', baseUrl: 'http://169.254.169.254/v1' }, 'body.baseUrl'],
    ['a private address', { name: 'acme', baseUrl: 'http://10.0.0.1/v1' }, 'body.baseUrl'],
    ['a key with a line break', { name: 'acme', baseUrl: 'https://a.example', apiKey: 'a\nb' }, 'body.apiKey'],
    ['an unknown field', { name: 'acme', baseUrl: 'https://a.example', key: 'a' }, 'body'],
  ])('is refused with %s', async (_what, body, path) => {
    expect(await create(newId('prj'), body)).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it('has a name of its own in its project, and the same in another', async () => {
    const [projectId, other] = [newId('prj'), newId('prj')];
    const body = { name: 'acme', baseUrl: 'https://a.example' };
    expect((await create(projectId, body)).status).toBe(201);
    expect(await create(projectId, body)).toMatchObject({ status: 409, body: { code: 'PROVIDER_EXISTS' } });
    expect((await create(other, body)).status).toBe(201);
    const foreign = await service.call({ projectId: newId('prj'), path: pathOf(projectId, 'acme') });
    expect(foreign.status).toBe(404);
  });

  it('does not take its key along to another host, unless it is given again', async () => {
    const projectId = newId('prj');
    await create(projectId, { name: 'acme', baseUrl: 'https://a.example/v1', apiKey: 'sk-secret' });
    const patch = (body: object) => service.call({ method: 'PATCH', projectId, path: pathOf(projectId, 'acme'), body });
    const evil = { baseUrl: 'https://evil.example/v1' };
    expect(await patch(evil)).toMatchObject({ status: 400, body: { details: [{ path: 'body.apiKey' }] } });
    expect(await patch({ baseUrl: 'https://a.example/v2' })).toMatchObject({ status: 200, body: { hasApiKey: true } });
    expect(await patch({ ...evil, apiKey: null })).toMatchObject({ status: 200, body: { hasApiKey: false } });
    expect(await patch({})).toMatchObject({ status: 400 });
  });

  it('is removed once, and not while something names one of its models', async () => {
    const projectId = newId('prj');
    await create(projectId, { name: 'acme', baseUrl: 'https://a.example/v1' });
    const remove = () => service.call({ method: 'DELETE', projectId, path: pathOf(projectId, 'acme') });
    const name = (models: string[]) =>
      service.call({
        method: 'PUT',
        projectId,
        path: `/internal/v1/projects/${projectId}/model-references/goal/goal_1`,
        body: { models },
        principal: { kind: 'service', id: 'jobs-worker' },
      });
    expect((await name(['acme/large', 'service/auto'])).status).toBe(204);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'PROVIDER_IN_USE' } });
    expect((await name([])).status).toBe(204);
    expect((await remove()).status).toBe(204);
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } });
  });

  it('is listed by name, in pages', async () => {
    const projectId = newId('prj');
    for (const name of ['c', 'a', 'b']) await create(projectId, { name, baseUrl: 'https://a.example' });
    interface Page {
      providers: { name: string }[];
      nextCursor: string | null;
    }
    const first = await service.call<Page>({ projectId, path: `${pathOf(projectId)}?limit=2` });
    expect(first.body.providers.map(({ name }) => name)).toEqual(['a', 'b']);
    const cursor = first.body.nextCursor ?? '';
    const second = await service.call<Page>({ projectId, path: `${pathOf(projectId)}?limit=2&cursor=${cursor}` });
    expect(second.body).toMatchObject({ providers: [{ name: 'c' }], nextCursor: null });
    const foreign = newId('prj');
    const stolen = await service.call({ projectId: foreign, path: `${pathOf(foreign)}?cursor=${cursor}` });
    expect(stolen).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
  });

  it('is tested by asking for its models, with the reason where that fails', async () => {
    const projectId = newId('prj');
    await create(projectId, { name: 'good', baseUrl: provider.url, apiKey: 'sk-secret' });
    await create(projectId, { name: 'badkey', baseUrl: provider.url, apiKey: 'sk-other' });
    await create(projectId, { name: 'away', baseUrl: 'http://127.0.0.1:9/v1' });
    await create(projectId, { name: 'inside', baseUrl: 'http://localhost.localdomain:9/v1' });
    const test = (name: string) => service.call({ method: 'POST', projectId, path: `${pathOf(projectId, name)}/test` });
    expect((await test('good')).body).toMatchObject({
      ok: true,
      reason: null,
      models: ['good/tiny-chat', 'good/tiny-embedding', 'good/tiny-whisper'],
    });
    expect((await test('badkey')).body).toMatchObject({ ok: false, reason: expect.stringContaining('401') });
    expect((await test('away')).body).toMatchObject({ ok: false, reason: 'The provider cannot be reached' });
    expect(await test('none')).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } });
  });

  it('is read with workspace:read and changed with models:manage', async () => {
    const projectId = newId('prj');
    const body = { name: 'acme', baseUrl: 'https://a.example' };
    const reader = keyWith('workspace:read');
    expect((await service.call({ projectId, path: pathOf(projectId), principal: reader })).status).toBe(200);
    expect((await service.call({ projectId, path: pathOf(projectId), body, principal: reader })).status).toBe(403);
    expect((await service.call({ projectId, path: pathOf(projectId), body, principal: null })).status).toBe(401);
  });
});
