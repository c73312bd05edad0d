import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CatalogModel, CatalogPage, HubDetails, HubStatus, ModelDetail } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { useTestEnvironment } from '@clew/testing';
import {
  CHAT_REPO,
  EMBEDDING_REPO,
  GATED_REPO,
  SPEECH_REPO,
  startLoopbackHub,
  type LoopbackHub,
} from '@clew/testing/hub';
import { keyWith, userWith } from '@clew/testing/identities';
import { startTestService, type TestService } from '../test-support/service.ts';
import { BUILT_IN_MODELS } from './built-in-models.ts';

interface Refused {
  code: string;
  message: string;
  details?: { path: string; message: string }[];
}
interface CatalogAnswer {
  runtime: { engines: unknown[]; downloads: unknown[]; services: unknown[] };
  page: CatalogPage;
}

const environment = useTestEnvironment();
let hub: LoopbackHub;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  hub = await startLoopbackHub([CHAT_REPO, EMBEDDING_REPO, SPEECH_REPO, GATED_REPO], { pageSize: 3 });
  service = await startTestService(environment, { env: { HF_ENDPOINT: hub.url } });
});

beforeEach(() => {
  projectId = newId('prj');
  hub.faults.reset();
  hub.requests.length = 0;
});

afterAll(async () => {
  await service.stop();
  await hub.stop();
});

function call<Body>(path: string, options: { body?: unknown; method?: 'PUT' | 'POST' | 'DELETE'; of?: string } = {}) {
  const { of = projectId, ...rest } = options;
  return service.call<Body>({ projectId: of, path: `/v1/projects/${of}/models${path}`, ...rest });
}

async function page(query = '', of = projectId): Promise<CatalogPage> {
  const { status, body } = await call<CatalogAnswer>(`/catalog${query}`, { of });
  expect(status).toBe(200);
  return body.page;
}

async function ids(query = ''): Promise<string[]> {
  return (await page(query)).models.map(({ id }) => id);
}

function refresh(search?: string) {
  const body = search === undefined ? {} : { search };
  return call<{ hub: HubStatus; discoveredCount: number }>('/catalog-refreshes', { method: 'POST', body });
}

function importRepo<Body = ModelDetail>(repoId: string, of = projectId) {
  return call<Body>('/imports/hub', { body: { repoId }, of });
}

const BUILT_IN_IDS = BUILT_IN_MODELS.map(({ id }) => id);

describe('the catalog of a new project', () => {
  it('has the built-in models by name, beside the snapshot of the runtime, without asking the hub', async () => {
    const { body } = await call<CatalogAnswer>('/catalog');
    expect(body.page.models.map(({ id }) => id).toSorted()).toEqual(BUILT_IN_IDS.toSorted());
    const names = body.page.models.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    expect(body.page).toMatchObject({ nextCursor: null, limit: 20, hub: { state: 'never', reason: null } });
    expect(body.runtime).toMatchObject({ engines: [{}, {}, {}], downloads: [], services: [] });
    expect(hub.requests).toEqual([]);
  });

  it('is narrowed by search over names and tags, category, pipeline tag, format, and what is installed', async () => {
    expect(await ids('?search=SMOLLM2')).toEqual(['smollm2-135m-instruct']);
    expect(await ids('?search=english%20small')).toEqual(['smollm2-135m-instruct', 'whisper-tiny.en']);
    expect(await ids('?search=.*')).toEqual([]);
    expect(await ids('?category=embedding')).toEqual([
      ...['all-minilm-l6-v2', 'nomic-embed-text-v1.5', 'qwen3-embedding-0.6b'],
    ]);
    expect(await ids('?pipelineTag=sentence-similarity')).toEqual(['all-minilm-l6-v2', 'nomic-embed-text-v1.5']);
    expect(await ids('?format=safetensors')).toEqual(['qwen2.5-7b-instruct']);
    expect(await ids('?format=ctranslate2&category=transcription&search=tiny')).toEqual(['whisper-tiny.en']);
    expect(await ids('?installed=true')).toEqual([]);
    expect((await ids('?installed=false')).length).toBe(BUILT_IN_IDS.length);
  });

  it.each([
    ['an unknown category', '?category=poetry', 'query.category'],
    ['an unknown format', '?format=onnx', 'query.format'],
    ['an installed that is neither true nor false', '?installed=1', 'query.installed'],
    ['a sort by something else', '?sort=size:up', 'query.sort'],
    ['a sort without direction', '?sort=name', 'query.sort'],
    ['an empty search', '?search=', 'query.search'],
    ['a limit of 0', '?limit=0', 'query.limit'],
    ['a limit of 101', '?limit=101', 'query.limit'],
    ['an unknown parameter', '?size=1', 'query'],
    ['a parameter given twice', '?format=gguf&format=gguf', 'query.format'],
  ])('refuses %s, naming it', async (_name, query, path) => {
    const { status, body } = await call<Refused>(`/catalog${query}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(body.details?.map((detail) => detail.path)).toContain(path);
  });
});

describe('a refresh', () => {
  it('adds what the hub has for the engines here, most downloaded first, a page of the hub at a time', async () => {
    const { status, body } = await refresh();
    expect({ status, ...body }).toMatchObject({
      status: 200,
      hub: { state: 'succeeded', reason: null },
      discoveredCount: 4,
    });
    const found = (await page('?sort=downloads:desc&limit=4')).models;
    expect(found.map(({ id }) => id)).toEqual([
      'acme--tiny-embed',
      'acme--tiny-chat-GGUF',
      'acme--tiny-whisper',
      'acme--secret-chat',
    ]);
    expect(found[1]).toMatchObject({
      ...{ origin: 'discovered', category: 'chat', pipelineTag: 'text-generation', license: 'apache-2.0' },
      ...{ repoId: CHAT_REPO.id, downloads: 500, likes: 5, formats: ['gguf'], gated: false, installed: false },
      updatedAt: Date.UTC(2025, 2, 1),
    });
    expect(found[3]).toMatchObject({ gated: true });
  });

  it('is searched for words as texts and not as patterns, in what was found too', async () => {
    await refresh();
    expect(await ids('?search=tiny-emb')).toEqual(['acme--tiny-embed']);
    for (const pattern of ['tiny.embed', '.*', '^acme', '[a-z]', 'tiny|secret', '(']) {
      expect({ pattern, found: await ids(`?search=${encodeURIComponent(pattern)}`) }).toEqual({ pattern, found: [] });
    }
  });

  it('orders by each field in both directions, unknown values as the smallest', async () => {
    await refresh();
    for (const field of ['name', 'downloads', 'likes', 'updatedAt', 'size']) {
      const up = await ids(`?sort=${field}:asc&limit=100`);
      const down = await ids(`?sort=${field}:desc&limit=100`);
      expect({ field, down }).toEqual({ field, down: up.toReversed() });
      expect(up).toHaveLength(BUILT_IN_IDS.length + 4);
    }
    expect((await ids('?sort=likes:desc&limit=1'))[0]).toBe('acme--tiny-whisper');
    expect((await ids('?sort=size:desc&limit=1'))[0]).toBe('smollm2-135m-instruct');
  });

  it('is walked once through, built-in and found ones together, whatever the page size', async () => {
    await refresh();
    const all = await ids('?sort=downloads:desc&limit=100');
    for (const limit of [1, 3, 5]) {
      const walked: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { models, nextCursor }: CatalogPage = await page(`?sort=downloads:desc&limit=${limit}${next}`);
        expect(models.length).toBeLessThanOrEqual(limit);
        walked.push(...models.map(({ id }) => id));
        cursor = nextCursor;
      }
      expect(walked).toEqual(all);
    }
  });

  it('binds its cursor to filters, order and project', async () => {
    const { nextCursor } = await page('?limit=1&category=chat');
    const other = newId('prj');
    for (const query of [
      '?limit=1',
      '?category=embedding',
      '?category=chat&sort=size:asc',
      '?category=chat&search=a',
    ]) {
      const { status, body } = await call<Refused>(`/catalog${query}&cursor=${nextCursor}`);
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'INVALID_CURSOR' });
    }
    const foreign = await call<Refused>(`/catalog?category=chat&cursor=${nextCursor}`, { of: other });
    expect(foreign.body.code).toBe('INVALID_CURSOR');
    expect((await page(`?category=chat&limit=100&cursor=${nextCursor}`)).models).toHaveLength(3);
  });

  it('with a search adds what the hub finds for it, and forgets nothing', async () => {
    await refresh();
    hub.put({ ...CHAT_REPO, id: 'other/rare-model', downloads: 1 });
    const { body } = await refresh('rare');
    expect(body.discoveredCount).toBe(1);
    expect(await ids('?search=rare')).toEqual(['other--rare-model']);
    expect(await ids('?search=tiny-embed')).toEqual(['acme--tiny-embed']);
  });

  it('gives built-in models the sizes, hashes and commit that the hub names', async () => {
    const repoId = 'Qwen/Qwen2.5-0.5B-Instruct-GGUF';
    hub.put({ ...CHAT_REPO, id: repoId, files: { 'qwen2.5-0.5b-instruct-q4_k_m.gguf': Buffer.alloc(5_000, 1) } });
    await refresh();
    const { body } = await call<ModelDetail>('/qwen2.5-0.5b-instruct');
    expect(body).toMatchObject({ downloads: 500, sizeBytes: 5_000, origin: 'builtin' });
    const [file] = body.profiles[0]?.files ?? [];
    expect(file).toMatchObject({ sizeBytes: 5_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(file?.source).toMatchObject({ revision: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect((await call<ModelDetail>('/qwen2.5-0.5b-instruct', { of: newId('prj') })).body.sizeBytes).toBeNull();
  });

  it('of a hub that is away keeps what there is and says why, until it is back', async () => {
    await refresh();
    const before = await ids('?limit=100');
    hub.faults.refuse('hub', 500, { times: 100 });
    const { status, body } = await refresh();
    expect({ status, ...body.hub }).toMatchObject({
      status: 200,
      state: 'failed',
      reason: 'The model hub answered 500',
    });
    expect(body.hub.refreshedAt).not.toBeNull();
    const after = await page('?limit=100');
    expect(after.models.map(({ id }) => id)).toEqual(before);
    expect(after.hub).toEqual(body.hub);
    hub.faults.reset();
    expect((await refresh()).body.hub).toMatchObject({ state: 'succeeded', reason: null });
  });

  it.each([
    ['a field that does not exist', { everything: true }],
    ['an empty search', { search: ' ' }],
  ])('refuses %s', async (_name, body) => {
    expect((await call<Refused>('/catalog-refreshes', { body })).status).toBe(400);
  });
});

describe('an import', () => {
  it('makes a model with a profile for each complete artifact set, the one for most machines first', async () => {
    const { status, headers, body } = await importRepo(CHAT_REPO.id);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/projects/${projectId}/models/acme--tiny-chat-GGUF`);
    expect(body).toMatchObject({
      id: 'acme--tiny-chat-GGUF',
      origin: 'imported',
      contextLength: 2_048,
      formats: ['gguf'],
    });
    expect(body.profiles.map(({ id }) => id)).toEqual(['gguf-q4_k_m', 'gguf-q8_0', 'gguf-f16']);
    const [q4, , f16] = body.profiles;
    expect(q4).toMatchObject({ engine: 'llama.cpp', quantization: 'Q4_K_M', contextLength: 2_048 });
    const [file] = q4?.files ?? [];
    const content = CHAT_REPO.files['tiny-chat.Q4_K_M.gguf'] as Buffer;
    expect(file).toMatchObject({ path: 'tiny-chat.Q4_K_M.gguf', sizeBytes: content.length });
    expect(q4?.memoryEstimateBytes).toBe(content.length + 2 * 2 * 2 * 16 * 2 * 2_048 + 128 * 1024 * 1024);
    expect(f16?.files.map(({ path }) => path)).toEqual([
      'tiny-chat.F16-00001-of-00002.gguf',
      'tiny-chat.F16-00002-of-00002.gguf',
    ]);
    expect((await call<ModelDetail>('/acme--tiny-chat-GGUF')).body).toEqual(body);
  });

  it('reads safetensors and CTranslate2 repositories too', async () => {
    const embed = (await importRepo(EMBEDDING_REPO.id)).body;
    expect(embed).toMatchObject({ category: 'embedding', contextLength: 512 });
    expect(embed.profiles).toMatchObject([{ id: 'safetensors-bf16', engine: 'vllm', quantization: 'BF16' }]);
    expect(embed.profiles[0]?.files.map(({ path }) => path)).toEqual([
      'config.json',
      'model-00001-of-00001.safetensors',
      'tokenizer.json',
    ]);
    const speech = (await importRepo(SPEECH_REPO.id)).body;
    expect(speech).toMatchObject({
      category: 'transcription',
      profiles: [{ id: 'ctranslate2', engine: 'faster-whisper' }],
    });
  });

  it('again answers 200 with what the repository holds now, and a refresh leaves it as it is', async () => {
    const repoId = 'acme/moving';
    hub.put({ ...SPEECH_REPO, id: repoId });
    const first = (await importRepo(repoId)).body;
    hub.put({ ...SPEECH_REPO, id: repoId, files: { ...SPEECH_REPO.files, 'model.bin': Buffer.alloc(7_000, 3) } });
    await refresh();
    expect((await call<ModelDetail>('/acme--moving')).body).toEqual(first);
    const again = await importRepo(repoId);
    expect(again.status).toBe(200);
    expect(again.body.sizeBytes).toBe((first.sizeBytes ?? 0) + 1_000);
  });

  it('with an Idempotency-Key is 201 again where the first answer was lost, and reads no hub for it', async () => {
    const request = {
      ...{ projectId, path: `/v1/projects/${projectId}/models/imports/hub`, body: { repoId: CHAT_REPO.id } },
      headers: { 'idempotency-key': 'import once' },
    };
    const first = await service.call(request);
    expect(first.status).toBe(201);
    hub.requests.length = 0;
    const again = await service.call(request);
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
    expect(hub.requests).toEqual([]);
  });

  it('turns a model that was only seen on the hub into one that can be downloaded', async () => {
    await refresh();
    expect((await call<ModelDetail>('/acme--tiny-chat-GGUF')).body).toMatchObject({
      origin: 'discovered',
      profiles: [],
    });
    expect((await importRepo(CHAT_REPO.id)).status).toBe(201);
    expect(await ids('?search=tiny-chat')).toEqual(['acme--tiny-chat-GGUF']);
  });

  it.each([
    'tiny',
    'a/b/c',
    '/name',
    'owner/',
    'https://hub.example/owner/name',
    '../etc/passwd',
    'owner/..',
    'own er/name',
    'owner--x/name',
    'owner/na--me',
    '',
    7,
  ])('refuses the repository %p, naming the field', async (repoId) => {
    const { status, body } = await call<Refused>('/imports/hub', { body: { repoId } });
    expect({ status, code: body.code, path: body.details?.[0]?.path }).toEqual({
      ...{ status: 400, code: 'VALIDATION_FAILED', path: 'body.repoId' },
    });
    expect(hub.requests).toEqual([]);
  });

  it('refuses other fields, and a repository that no engine here can run', async () => {
    expect((await call('/imports/hub', { body: { repoId: CHAT_REPO.id, revision: 'main' } })).status).toBe(400);
    hub.put({ id: 'acme/pictures', files: { 'model.onnx': Buffer.alloc(3_000) } });
    const { status, body } = await importRepo<Refused>('acme/pictures');
    expect({ status, path: body.details?.[0]?.path }).toEqual({ status: 400, path: 'body.repoId' });
  });

  it('answers 404 for a repository that does not exist, and 503 while the hub is away', async () => {
    expect(await importRepo<Refused>('nobody/nothing')).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
    hub.faults.refuse('hub', 503, { times: 10 });
    expect(await importRepo<Refused>(CHAT_REPO.id)).toMatchObject({
      status: 503,
      body: { code: 'UPSTREAM_UNAVAILABLE', message: 'The model hub answered 503' },
    });
  });

  it('of a gated repository takes the token of the project, which no answer shows', async () => {
    const refused = await importRepo<Refused>(GATED_REPO.id);
    expect(refused).toMatchObject({ status: 403, body: { code: 'GATED_REPOSITORY' } });
    const other = newId('prj');
    await call('/hub-token', { method: 'PUT', body: { token: 'hf_with_access' }, of: other });
    expect((await importRepo(GATED_REPO.id)).status).toBe(403);
    const set = await call<object>('/hub-token', { method: 'PUT', body: { token: 'hf_with_access' } });
    expect(set).toMatchObject({ status: 200, body: { hasToken: true } });
    expect(set.text).not.toContain('hf_with_access');
    const { status, body } = await importRepo(GATED_REPO.id);
    expect({ status, gated: body.gated }).toEqual({ status: 201, gated: true });
    expect(body.profiles[0]?.files[0]?.source).toMatchObject({ gated: true });
    expect((await call('/hub-token', { method: 'DELETE' })).status).toBe(204);
    expect((await call<object>('/hub-token')).body).toEqual({ hasToken: false, updatedAt: null });
    expect((await importRepo(GATED_REPO.id)).status).toBe(403);
  });
});

describe('reading a model', () => {
  it('is the same for a model and for one of its profiles, but for the profile that is selected', async () => {
    const model = await call<ModelDetail>('/qwen2.5-0.5b-instruct');
    expect(model.body).toMatchObject({ origin: 'builtin', selectedProfileId: 'gguf-q4_k_m' });
    const profile = await call<ModelDetail>('/qwen2.5-0.5b-instruct/profiles/gguf-q8_0');
    expect(profile.body).toEqual({ ...model.body, selectedProfileId: 'gguf-q8_0' });
  });

  it('answers 404 for what does not exist, for path words, and for what another project imported', async () => {
    const other = newId('prj');
    await importRepo(CHAT_REPO.id, other);
    for (const id of ['nothing', 'acme--tiny-chat-GGUF', 'imports', 'engines', '%00', '$ne', 'a'.repeat(3_000)]) {
      const { status, body } = await call<Refused>(`/${id}`);
      expect({ id, status, code: body.code, message: body.message }).toEqual({
        ...{ id, status: 404, code: 'MODEL_NOT_FOUND', message: 'The model does not exist' },
      });
    }
    const profile = await call<Refused>('/whisper-small/profiles/nothing');
    expect(profile).toMatchObject({ status: 404, body: { code: 'PROFILE_NOT_FOUND' } });
  });

  it('shows what the hub says, and where it cannot be read, why', async () => {
    await importRepo(CHAT_REPO.id);
    const { body } = await call<HubDetails>('/acme--tiny-chat-GGUF/hub-details');
    expect(body).toMatchObject({
      ...{ modelId: 'acme--tiny-chat-GGUF', repoId: CHAT_REPO.id, available: true, reason: null },
      details: { author: 'acme', gated: 'no', license: 'apache-2.0', downloads: 500, filesTruncated: false },
    });
    expect(body.details?.files).toHaveLength(Object.keys(CHAT_REPO.files).length);
    hub.faults.refuse('hub', 502, { times: 10 });
    const away = await call<HubDetails>('/acme--tiny-chat-GGUF/hub-details');
    expect(away).toMatchObject({
      status: 200,
      body: { available: false, reason: 'The model hub answered 502', details: null },
    });
    expect((await call<Refused>('/nothing/hub-details')).body.code).toBe('MODEL_NOT_FOUND');
  });
});

describe('access', () => {
  const path = () => `/v1/projects/${projectId}/models`;

  it('to read takes workspace:read, to change takes models:manage', async () => {
    const reader = keyWith('workspace:read');
    const manager = keyWith('models:manage');
    const reads = ['/catalog', '/whisper-small', '/whisper-small/profiles/ctranslate2', '/whisper-small/hub-details'];
    for (const read of reads) {
      expect((await service.call({ projectId, path: path() + read, principal: reader })).status).toBe(200);
      expect((await service.call({ projectId, path: path() + read, principal: manager })).status).toBe(403);
      const viewer = userWith('project:read');
      expect((await service.call({ projectId, path: path() + read, principal: viewer })).status).toBe(200);
    }
    const writes = { '/catalog-refreshes': {}, '/imports/hub': { repoId: SPEECH_REPO.id } };
    for (const [write, body] of Object.entries(writes)) {
      const call = { projectId, path: path() + write, body };
      expect((await service.call({ ...call, principal: reader })).status).toBe(403);
      expect((await service.call({ ...call, principal: manager })).status).toBeLessThan(300);
      expect((await service.call({ ...call, principal: null })).status).toBe(401);
    }
  });
});

it('a token that goes to the hub goes nowhere else', async () => {
  await call('/hub-token', { method: 'PUT', body: { token: 'hf_with_access' } });
  await importRepo<CatalogModel>(CHAT_REPO.id);
  const cdn = hub.requests.filter(({ origin }) => origin === 'cdn');
  expect(cdn.length).toBeGreaterThan(0);
  expect(cdn.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  expect(hub.requests.filter(({ authorization }) => authorization === 'Bearer hf_with_access').length).toBeGreaterThan(
    0,
  );
});

it('a token goes to the hub as it is, whatever its form: mirrors have their own', async () => {
  await call('/hub-token', { method: 'PUT', body: { token: 'of-a-mirror' } });
  expect((await importRepo<CatalogModel>(CHAT_REPO.id)).status).toBe(201);
  expect(hub.requests.map(({ authorization }) => authorization)).toContain('Bearer of-a-mirror');
});
