import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { datasetModelsNamed, deedRecorded, goalModelsNamed, ruleModelsNamed } from '@clew/contracts';
import { listen } from '@clew/http';
import { newId } from '@clew/kernel';
import { createPublisher } from '@clew/messaging';
import { nativeDb } from '@clew/persistence';
import { eventually, propertyRuns, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { startProvider, type ScriptedProvider } from '@clew/testing/provider';
import { keyWith } from '@clew/testing/identities';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { modelReferenceModel } from './provider.model.ts';
import { createProviderStore } from './providers.store.ts';

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

const remove = (projectId: string, headers: Record<string, string> = {}) =>
  service.call({ method: 'DELETE', projectId, path: pathOf(projectId, 'acme'), headers });

/** Reports, as another service does, the models that a goal names. */
function refer<Body>(projectId: string, referrerId: string, models: string[]) {
  return service.call<Body>({
    method: 'PUT',
    projectId,
    path: `/internal/v1/projects/${projectId}/model-references/goal/${referrerId}`,
    body: { models },
    principal: { kind: 'service', id: 'jobs-worker' },
  });
}

describe('a provider', () => {
  it('has its deeds recorded for the audit, without its key', async () => {
    const projectId = newId('prj');
    await create(projectId, { name: 'acme', baseUrl: 'https://api.acme.example/v1/', apiKey: 'canary-1' });
    const path = pathOf(projectId, 'acme');
    await service.call({ method: 'PATCH', projectId, path, body: { apiKey: 'canary-2' } });
    await remove(projectId);
    const deeds = await emittedMessages(service.database, deedRecorded, projectId);
    const target = { kind: 'model-provider', id: 'acme' };
    expect(deeds.map(({ data: { actor: _actor, address: _address, ...data } }) => data)).toMatchObject([
      { action: 'model-provider.created', target, before: null, after: { name: 'acme', hasApiKey: true } },
      { action: 'model-provider.changed', target, before: {}, after: { apiKey: 'changed' } },
      { action: 'model-provider.deleted', target, before: { name: 'acme' }, after: null },
    ]);
    expect(JSON.stringify(deeds)).not.toContain('canary');
  });

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
    ['an empty address', { name: 'acme', baseUrl: '' }, 'body.baseUrl'],
    ['an address that is none', { name: 'acme', baseUrl: 'not a url' }, 'body.baseUrl'],
    ['an address without a host', { name: 'acme', baseUrl: 'http://' }, 'body.baseUrl'],
    ['an address that ends early', { name: 'acme', baseUrl: 'http://[' }, 'body.baseUrl'],
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

  it.each(['', 'not a url', 'http://', 'http://['])('keeps its address where a PATCH gives %j', async (baseUrl) => {
    const projectId = newId('prj');
    const made = await create(projectId, { name: 'acme', baseUrl: 'https://a.example/v1' });
    const path = pathOf(projectId, 'acme');
    const answered = await service.call({ method: 'PATCH', projectId, path, body: { baseUrl } });
    const details = [{ path: 'body.baseUrl', message: expect.stringContaining('URL') }];
    expect(answered).toMatchObject({ status: 400, body: { details } });
    expect((await service.call({ projectId, path })).body).toEqual(made.body);
  });

  it('is removed once, and not while something names one of its models', async () => {
    const projectId = newId('prj');
    await create(projectId, { name: 'acme', baseUrl: 'https://a.example/v1' });
    const named = await refer(projectId, 'goal_1', ['acme/large', 'service/auto', 'self/tiny', 'gone/model']);
    expect(named).toMatchObject({ status: 200, body: { missingProviders: ['gone'] } });
    expect(await remove(projectId)).toMatchObject({ status: 409, body: { code: 'PROVIDER_IN_USE' } });
    expect((await refer(projectId, 'goal_1', [])).body).toEqual({ missingProviders: [] });
    expect((await remove(projectId)).status).toBe(204);
    expect(await remove(projectId)).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } });
  });

  it('is never removed from under something that was told it is there, however close together both come', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const projectId = newId('prj');
      await create(projectId, { name: 'acme', baseUrl: 'https://a.example/v1' });
      const [removed, referred] = await Promise.all([
        remove(projectId),
        refer<{ missingProviders: string[] }>(projectId, 'goal_1', ['acme/large']),
      ]);
      const isGone = (await service.call({ projectId, path: pathOf(projectId, 'acme') })).status === 404;
      expect(referred.body.missingProviders).toEqual(isGone ? ['acme'] : []);
      expect(removed.status).toBe(isGone ? 204 : 409);
      outcomes.add(`${removed.status}`);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it.each([
    ['a Dataset', datasetModelsNamed, { datasetId: 'dst_1' }],
    ['a Rule', ruleModelsNamed, { ruleId: 'rule_1' }],
    ['a Learning Goal', goalModelsNamed, { goalId: 'goal_1' }],
  ] as const)('is not removed while %s names one of its models', async (_what, spec, referrer) => {
    const projectId = newId('prj');
    await create(projectId, { name: 'acme', baseUrl: 'https://a.example/v1' });
    const publisher = createPublisher(service.broker);
    const tell = (revision: number, models: string[]) =>
      publisher.publish(spec as typeof datasetModelsNamed, {
        ...{ id: newId('evt'), type: spec.type, version: 1, occurredAt: 1, projectId, requestId: null },
        data: { ...referrer, models, revision } as never,
      });
    const references = modelReferenceModel(service.database.connection);
    await tell(1, ['acme/large']);
    await eventually(async () => expect(await references.countDocuments({ projectId, revision: 1 })).toBe(1));
    expect(await remove(projectId)).toMatchObject({ status: 409, body: { code: 'PROVIDER_IN_USE' } });
    await tell(2, []);
    await eventually(async () => expect(await references.countDocuments({ projectId, revision: 2 })).toBe(1));
    expect((await remove(projectId)).status).toBe(204);
    await publisher.close();
  });

  it('stays as the newest change of a Dataset says, in whatever order and however often changes come', async () => {
    const store = createProviderStore(service.database);
    const change = fc.record({ revision: fc.integer({ min: 1, max: 6 }), times: fc.integer({ min: 1, max: 2 }) });
    const modelsAt = (revision: number) => (revision % 2 === 0 ? [] : ['acme/large']);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const projectId = newId('prj');
        for (const { revision, times } of changes) {
          for (let time = 0; time < times; time += 1) {
            await service.database.withTransaction((tx) =>
              store.setReference(
                tx,
                projectId,
                { kind: 'dataset', id: 'dst_1' },
                { models: modelsAt(revision), revision },
              ),
            );
          }
        }
        const newest = Math.max(...changes.map(({ revision }) => revision));
        const isNamed = await service.database.withTransaction((tx) => store.isReferenced(tx, projectId, 'acme'));
        expect(isNamed).toBe(modelsAt(newest).length > 0);
      }),
      propertyRuns(12),
    );
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

  it('that redirects is not followed with its key, and the test says so', async () => {
    const seen: string[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization ?? ''}`);
      if (request.url === '/v1/models') response.writeHead(307, { location: '/other/models' }).end();
      else response.end('{"data":[{"id":"planted"}]}');
    });
    const { port, stop } = await listen(elsewhere, { host: '127.0.0.1', port: 0 });
    const projectId = newId('prj');
    await create(projectId, { name: 'moved', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-secret' });
    const tested = await service.call({ method: 'POST', projectId, path: `${pathOf(projectId, 'moved')}/test` });
    await stop();
    expect(tested.body).toMatchObject({ ok: false, models: [], reason: expect.stringContaining('redirects') });
    expect(seen).toEqual(['/v1/models Bearer sk-secret']);
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

describe('an Idempotency-Key', () => {
  const keyed = (projectId: string, body: object, key: string) =>
    service.call({ projectId, path: pathOf(projectId), body, headers: { 'idempotency-key': key } });
  const acme = { name: 'acme', baseUrl: 'https://a.example/v1', apiKey: 'sk-secret' };

  it('makes one provider however often its creation is sent, and answers each repeat alike', async () => {
    const projectId = newId('prj');
    const first = await keyed(projectId, acme, 'once');
    expect(first).toMatchObject({ status: 201, body: { name: 'acme' } });
    await remove(projectId);
    const again = await keyed(projectId, acme, 'once');
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await service.call({ projectId, path: pathOf(projectId, 'acme') })).status).toBe(404);
  });

  it('for another provider is 422, and after a refusal it is free again', async () => {
    const projectId = newId('prj');
    await create(projectId, acme);
    expect(await keyed(projectId, acme, 'k')).toMatchObject({ status: 409, body: { code: 'PROVIDER_EXISTS' } });
    await remove(projectId);
    expect((await keyed(projectId, acme, 'k')).status).toBe(201);
    const other = await keyed(projectId, { ...acme, apiKey: 'sk-another' }, 'k');
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await keyed(projectId, acme, '')).toMatchObject({ status: 400, body: { code: 'INVALID_IDEMPOTENCY_KEY' } });
  });

  it('keeps no key of a provider with the answer', async () => {
    const projectId = newId('prj');
    await keyed(projectId, { ...acme, apiKey: 'sk-kept-nowhere' }, 'kept');
    const db = nativeDb(service.database.connection);
    for (const name of ['idempotency_keys', 'idempotency_replies']) {
      const rows = await db.collection(name).find().toArray();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain('sk-kept-nowhere');
    }
  });
});

describe('If-Match', () => {
  const acme = { name: 'acme', baseUrl: 'https://a.example/v1', apiKey: 'sk-secret' };
  const patch = (projectId: string, body: object, etag: string) =>
    service.call({
      ...{ method: 'PATCH', projectId, path: pathOf(projectId, 'acme'), body },
      headers: { 'if-match': etag },
    });

  it('lets only the state be changed or removed that the caller has seen', async () => {
    const projectId = newId('prj');
    const seen = (await create(projectId, acme)).headers.get('etag') ?? '';
    expect(seen).toMatch(/^"[^"]+"$/);
    const read = await service.call({ projectId, path: pathOf(projectId, 'acme') });
    expect(read.headers.get('etag')).toBe(seen);
    const changed = await patch(projectId, { baseUrl: 'https://a.example/v2' }, seen);
    expect(changed.status).toBe(200);
    const next = changed.headers.get('etag') ?? '';
    expect(next).not.toBe(seen);
    const stale = await patch(projectId, { baseUrl: 'https://a.example/v3' }, seen);
    expect(stale).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect(stale.headers.get('etag')).toBe(next);
    expect((await remove(projectId, { 'if-match': seen })).status).toBe(412);
    expect((await remove(projectId, { 'if-match': next })).status).toBe(204);
  });

  it('notices a new key too, which no answer shows, and a provider that was made anew', async () => {
    const projectId = newId('prj');
    const first = (await create(projectId, acme)).headers.get('etag') ?? '';
    const second = (await patch(projectId, { apiKey: 'sk-other' }, first)).headers.get('etag') ?? '';
    expect(second).not.toBe(first);
    await remove(projectId);
    service.clock.advance(1_000);
    const anew = (await create(projectId, acme)).headers.get('etag');
    expect([first, second]).not.toContain(anew);
  });

  it('is not disturbed by what begins to name the provider', async () => {
    const projectId = newId('prj');
    const seen = (await create(projectId, acme)).headers.get('etag') ?? '';
    await refer(projectId, 'goal_1', ['acme/large']);
    expect((await patch(projectId, { apiKey: null }, seen)).status).toBe(200);
  });

  it('lets one of several who change the same state at once through', async () => {
    const projectId = newId('prj');
    const seen = (await create(projectId, acme)).headers.get('etag') ?? '';
    const changes = Array.from({ length: 8 }, (_, index) => patch(projectId, { apiKey: `sk-${index}` }, seen));
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(7);
  });
});
