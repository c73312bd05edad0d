import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EngineInstallation, HubDetails, ModelDetail, ModelDownload } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import { CHAT_REPO, EMBEDDING_REPO, GATED_REPO, SPEECH_REPO, type LoopbackHub } from '@clew/testing/hub';
import { catalogOf } from './support/model-catalog.ts';
import { startModelHub } from './support/model-hub.ts';
import { modelRuntimeOf } from './support/model-runtime.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const CHAT = 'acme--tiny-chat-GGUF';
const TIB = 1024 ** 4;
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

/** The path of the profile that a model recommends, imported where it is not. */
async function profileOf(of: TestProject, repoId = CHAT_REPO.id, profileId?: string): Promise<string> {
  const { status, body } = await catalogOf(of).importRepo(repoId);
  expect([200, 201]).toContain(status);
  return `/models/${body.id}/profiles/${profileId ?? body.selectedProfileId}`;
}

const post = <Body = ModelDownload>(of: TestProject, path: string) => of.call<Body>(path, { method: 'POST' });
const remove = <Body = ErrorBody>(of: TestProject, path: string) => of.call<Body>(path, { method: 'DELETE' });

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
    const profile = await profileOf(project, GATED_REPO.id);
    expect((await post(project, `${profile}/downloads`)).status).toBe(202);
    await modelRuntimeOf(project).untilDownload('acme--secret-chat', 'completed', 30_000);
    const other = await createTestProject('no access');
    expect((await catalogOf(other).importRepo(GATED_REPO.id)).status).toBe(403);
    expect(hub.requests.filter(({ origin, authorization }) => origin === 'cdn' && authorization)).toEqual([]);
    expect((await remove(project, profile)).status).toBe(204);
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

describe('downloads', () => {
  it('are named by a generation that grows, and what is said about an old one touches no newer one', async () => {
    const profile = await profileOf(project);
    hub.faults.throttle(5_000);
    const { body: first } = await post(project, `${profile}/downloads`);
    expect(first).toMatchObject({ state: expect.stringMatching(/queued|running/), bytesTotal: expect.any(Number) });
    const path = (generation: number) => `${profile}/downloads/${generation}`;
    const cancelled = await remove<ModelDownload>(project, path(first.generation));
    expect(cancelled).toMatchObject({ status: 202, body: { state: 'cancelled', generation: first.generation } });
    expect((await remove(project, path(first.generation))).status).toBe(404);
    hub.faults.throttle(0);
    const { body: second } = await post(project, `${profile}/downloads`);
    expect(second.generation).toBe(first.generation + 1);
    const stale = await remove(project, path(first.generation));
    expect(stale).toMatchObject({ status: 409, body: { code: 'GENERATION_SUPERSEDED' } });
    expect((await remove(project, path(second.generation + 1))).status).toBe(404);
    const done = await modelRuntimeOf(project).untilDownload(CHAT, 'completed', 30_000);
    expect(done).toMatchObject({ generation: second.generation, bytesDone: done.bytesTotal, error: null });
    expect(await post(project, `${profile}/downloads`)).toMatchObject({ status: 200, body: { state: 'completed' } });
    expect((await remove(project, path(second.generation))).status).toBe(202);
    expect((await modelRuntimeOf(project).snapshot()).downloads).toEqual([]);
  });

  it('by two projects fetch the same artifact once, and the DELETE of one leaves it to the other', async () => {
    const other = await createTestProject('shares artifacts');
    const files = { 'shared.Q4_K_M.gguf': CHAT_REPO.files['tiny-chat.Q8_0.gguf'] as Buffer };
    hub.put({ ...CHAT_REPO, id: 'acme/shared', files });
    const [one, two] = [await profileOf(project, 'acme/shared'), await profileOf(other, 'acme/shared')];
    await post(project, `${one}/downloads`);
    await modelRuntimeOf(project).untilDownload('acme--shared', 'completed', 30_000);
    const before = hub.cdnBytes();
    expect(await post(other, `${two}/downloads`)).toMatchObject({ status: 200, body: { state: 'completed' } });
    expect(hub.cdnBytes()).toBe(before);
    expect((await remove(project, one)).status).toBe(204);
    expect((await modelRuntimeOf(other).snapshot()).downloads).toMatchObject([{ state: 'completed' }]);
    expect((await remove(other, two)).status).toBe(204);
  });

  it('of bytes that were changed under way are fetched again, and CHECKSUM_MISMATCH where they come wrong twice', async () => {
    const name = 'flipped.Q4_K_M.gguf';
    const content = CHAT_REPO.files['tiny-chat.Q8_0.gguf'] as Buffer;
    hub.put({ ...CHAT_REPO, id: 'acme/flipped', files: { [name]: Buffer.concat([content, Buffer.from('other')]) } });
    const profile = await profileOf(project, 'acme/flipped');
    hub.faults.flipByte(name, 30_000, 2);
    await post(project, `${profile}/downloads`);
    const failed = await modelRuntimeOf(project).untilDownload('acme--flipped', 'failed', 30_000);
    expect(failed.error?.code).toBe('CHECKSUM_MISMATCH');
    hub.faults.flipByte(name, 30_000);
    await post(project, `${profile}/downloads`);
    await modelRuntimeOf(project).untilDownload('acme--flipped', 'completed', 30_000);
    expect((await remove(project, profile)).status).toBe(204);
  });

  it('that cannot fit on the disk are refused before their first byte', async () => {
    const listedSizes = { 'tiny-chat.Q4_K_M.gguf': 1_000 * TIB };
    hub.put({ ...CHAT_REPO, id: 'acme/huge', listedSizes });
    const profile = await profileOf(project, 'acme/huge');
    expect(await post<ErrorBody>(project, `${profile}/downloads`)).toMatchObject({
      status: 409,
      body: { code: 'INSUFFICIENT_DISK' },
    });
  });
});

describe('an engine installation', () => {
  it('of an older generation is 409 once a newer one has taken its place', async () => {
    const install = () => post<EngineInstallation>(project, '/models/engines/engine_2/installations');
    const path = (generation: number) => `/models/engines/vllm/installations/${generation}`;
    const first = (await install()).body.generation ?? 0;
    expect((await remove(project, path(first))).status).toBe(202);
    const second = (await install()).body.generation ?? 0;
    expect(second).toBeGreaterThan(first);
    const stale = await remove(project, path(first));
    expect(stale).toMatchObject({ status: 409, body: { code: 'GENERATION_SUPERSEDED' } });
    expect((await remove(project, path(second))).status).toBe(202);
  });
});

describe('the model of another project', () => {
  it('is answered on every route as one that does not exist', async () => {
    await profileOf(project);
    const other = await createTestProject('another project');
    const trial = { path: '/v1/chat/completions', contentType: 'application/json', body: { model: `self/${CHAT}` } };
    const routes = (id: string): readonly (readonly [string, string, object?])[] => [
      ['GET', `/models/${id}`],
      ['GET', `/models/${id}/profiles/gguf-q8_0`],
      ['GET', `/models/${id}/hub-details`],
      ['POST', `/models/${id}/profiles/gguf-q8_0/downloads`],
      ['DELETE', `/models/${id}/profiles/gguf-q8_0/downloads/1`],
      ['PUT', `/models/${id}/profiles/gguf-q8_0/service`],
      ['DELETE', `/models/${id}/profiles/gguf-q8_0/service`],
      ['DELETE', `/models/${id}/profiles/gguf-q8_0`],
      ['POST', `/models/${id}/profiles/gguf-q8_0/trials`, trial],
    ];
    for (const [index, [method, path, body]] of routes(CHAT).entries()) {
      const ask = (at: string) => other.call<ErrorBody>(at, { method, ...(body === undefined ? {} : { body }) });
      const [foreign, missing] = [await ask(path), await ask(routes('nobody--nothing')[index]?.[1] ?? '')];
      expect({ path, status: foreign.status }).toEqual({ path, status: 404 });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    expect(await catalogOf(other).ids({ search: 'tiny-chat' })).toEqual([]);
  });
});
