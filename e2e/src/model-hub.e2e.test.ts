import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { HubDetails, ModelDetail } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import { CHAT_REPO, EMBEDDING_REPO, GATED_REPO, SPEECH_REPO, type LoopbackHub } from '@clew/testing/hub';
import { catalogOf } from './support/model-catalog.ts';
import { startModelHub } from './support/model-hub.ts';
import { modelRuntimeOf } from './support/model-runtime.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const CHAT = 'acme--tiny-chat-GGUF';
let hub: LoopbackHub;
let project: TestProject;
let catalog: ReturnType<typeof catalogOf>;

beforeAll(async () => {
  hub = await startModelHub([CHAT_REPO, EMBEDDING_REPO, SPEECH_REPO, GATED_REPO]);
});

beforeEach(async () => {
  project = await createTestProject('model hub');
  catalog = catalogOf(project);
  hub.faults.reset();
  hub.requests.length = 0;
});

afterAll(() => hub.stop());

describe('POST catalog-refreshes', () => {
  it('reads the hub, and with a search adds what the hub finds for its words', async () => {
    expect(await catalog.refresh()).toMatchObject({
      status: 200,
      body: { hub: { state: 'succeeded', reason: null }, discoveredCount: 4 },
    });
    hub.put({ ...CHAT_REPO, id: 'other/rare-one', downloads: 1 });
    expect((await catalog.refresh('rare')).body.discoveredCount).toBe(1);
    expect(await catalog.ids({ search: 'rare' })).toEqual(['other--rare-one']);
    expect(await catalog.ids({ search: 'tiny-embed' })).toEqual(['acme--tiny-embed']);
  });

  it('of a hub that is away is 200 with the reason, which stands beside every page', async () => {
    hub.faults.refuse('hub', 500, { times: 100 });
    const { status, body } = await catalog.refresh();
    expect({ status, ...body.hub }).toMatchObject({
      status: 200,
      state: 'failed',
      reason: 'The model hub answered 500',
    });
    expect((await catalog.page()).hub).toEqual(body.hub);
  });

  it.each([{ everything: true }, { search: '' }, { search: 7 }, []])('refuses %j', async (body) => {
    expect((await project.call('/models/catalog-refreshes', { body })).status).toBe(400);
  });
});

describe('POST imports/hub', () => {
  it('imports the exact repository, with a profile for each artifact set, and again as it is then', async () => {
    const first = await catalog.importRepo(CHAT_REPO.id);
    expect(first).toMatchObject({ status: 201, body: { id: CHAT, origin: 'imported', repoId: CHAT_REPO.id } });
    expect(first.headers.get('location')).toBe(`/v1/projects/${project.id}/models/${CHAT}`);
    expect(first.body.profiles.map(({ id }) => id)).toEqual(['gguf-q4_k_m', 'gguf-q8_0', 'gguf-f16']);
    expect(await catalog.importRepo(CHAT_REPO.id)).toMatchObject({ status: 200, body: first.body });
    expect(await project.call(`/models/${CHAT}`)).toMatchObject({ status: 200, body: first.body });
  });

  it('with an Idempotency-Key answers a repeat as the first time', async () => {
    const request = { body: { repoId: SPEECH_REPO.id }, headers: { 'idempotency-key': 'one import' } };
    expect((await project.call('/models/imports/hub', request)).status).toBe(201);
    const again = await project.call('/models/imports/hub', request);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it.each(['tiny', 'a/b/c', '/name', 'owner/', '../etc', 'own er/name', 'https://hub.example/a/b', '', 7, null])(
    'refuses %j, which is not <owner>/<name>',
    async (repoId) => {
      expect(await catalog.importRepo<ErrorBody>(repoId)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: [{ path: 'body.repoId' }] },
      });
      expect(hub.requests).toEqual([]);
    },
  );

  it('refuses another field, a repository that is not there, one without anything to run, and all while the hub is away', async () => {
    const more = { body: { repoId: CHAT_REPO.id, revision: 'main' } };
    expect((await project.call('/models/imports/hub', more)).status).toBe(400);
    const missing = await catalog.importRepo<ErrorBody>('nobody/nothing');
    expect(missing).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
    hub.put({ id: 'acme/pictures', files: { 'model.onnx': Buffer.alloc(3_000) } });
    expect((await catalog.importRepo('acme/pictures')).status).toBe(400);
    hub.faults.refuse('hub', 503, { times: 100 });
    expect(await catalog.importRepo<ErrorBody>(CHAT_REPO.id)).toMatchObject({
      status: 503,
      body: { code: 'UPSTREAM_UNAVAILABLE' },
    });
  });

  it('opens a gated repository with the token of the project alone, which no answer shows', async () => {
    const refused = await catalog.importRepo<ErrorBody>(GATED_REPO.id);
    expect(refused).toMatchObject({ status: 403, body: { code: 'GATED_REPOSITORY' } });
    const token = await project.call('/models/hub-token', { method: 'PUT', body: { token: 'hf_with_access' } });
    expect(JSON.stringify([token.body, (await project.call('/models/hub-token')).body])).not.toContain('hf_with');
    const { body: model } = await catalog.importRepo(GATED_REPO.id);
    const profile = `/models/${model.id}/profiles/${model.selectedProfileId}`;
    expect((await project.call(`${profile}/downloads`, { method: 'POST' })).status).toBe(202);
    await modelRuntimeOf(project).untilDownload('acme--secret-chat', 'completed', 30_000);
    const other = await createTestProject('no access');
    expect((await catalogOf(other).importRepo(GATED_REPO.id)).status).toBe(403);
    expect(hub.requests.filter(({ origin, authorization }) => origin === 'cdn' && authorization)).toEqual([]);
    expect((await project.call(profile, { method: 'DELETE' })).status).toBe(202);
  });
});

describe('GET :modelId', () => {
  it('is the same handler as the GET of a profile, but for the profile that is selected', async () => {
    const model = await project.call<ModelDetail>('/models/qwen2.5-0.5b-instruct');
    expect(model.body).toMatchObject({ selectedProfileId: 'gguf-q4_k_m' });
    const profile = await project.call('/models/qwen2.5-0.5b-instruct/profiles/gguf-q8_0');
    expect(profile.body).toEqual({ ...model.body, selectedProfileId: 'gguf-q8_0' });
    expect(await project.call('/models/qwen2.5-0.5b-instruct/profiles/nothing')).toMatchObject({
      status: 404,
      body: { code: 'PROFILE_NOT_FOUND' },
    });
  });

  it.each(['imports', 'engines', 'nothing', '$ne'])('%s is no model', async (id) => {
    expect(await project.call(`/models/${id}`)).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
  });
});

describe('GET :modelId/hub-details', () => {
  it('tells what the hub says just now, and where it cannot be read, why', async () => {
    await catalog.importRepo(CHAT_REPO.id);
    const { body } = await project.call<HubDetails>(`/models/${CHAT}/hub-details`);
    expect(body).toMatchObject({
      ...{ modelId: CHAT, repoId: CHAT_REPO.id, available: true, reason: null },
      details: { author: 'acme', gated: 'no', downloads: 500, likes: 5, license: 'apache-2.0' },
    });
    expect(body.details?.files).toHaveLength(Object.keys(CHAT_REPO.files).length);
    hub.faults.refuse('hub', 502, { times: 100 });
    expect(await project.call(`/models/${CHAT}/hub-details`)).toMatchObject({
      status: 200,
      body: { available: false, reason: 'The model hub answered 502', details: null },
    });
    expect(await project.call('/models/nothing/hub-details')).toMatchObject({ body: { code: 'MODEL_NOT_FOUND' } });
  });
});
