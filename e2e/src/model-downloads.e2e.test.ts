import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EngineInstallation, ModelDownload, RuntimeActivity } from '@clew/contracts';
import type { ErrorBody } from '@clew/kernel';
import { eventually } from '@clew/testing';
import { CHAT_REPO, type LoopbackHub } from '@clew/testing/hub';
import { catalogOf } from './support/model-catalog.ts';
import { startModelHub } from './support/model-hub.ts';
import { activityOf, modelRuntimeOf } from './support/model-runtime.ts';
import { createTestProject, type TestProject } from './support/test-project.ts';

const CHAT = 'acme--tiny-chat-GGUF';
const TIB = 1024 ** 4;
let hub: LoopbackHub;
let project: TestProject;

beforeAll(async () => {
  hub = await startModelHub([CHAT_REPO]);
});

beforeEach(async () => {
  project = await createTestProject('downloads');
  hub.faults.reset();
});

afterAll(() => hub.stop());

/** Path of the profile that a model recommends; imports the model if necessary. */
async function profileOf(of: TestProject, repoId = CHAT_REPO.id, profileId?: string): Promise<string> {
  const { status, body } = await catalogOf(of).importRepo(repoId);
  expect([200, 201]).toContain(status);
  return `/models/${body.id}/profiles/${profileId ?? body.selectedProfileId}`;
}

const post = <Body = ModelDownload>(of: TestProject, path: string) => of.call<Body>(path, { method: 'POST' });
const remove = <Body = ErrorBody>(of: TestProject, path: string) => of.call<Body>(path, { method: 'DELETE' });

describe('downloads', () => {
  it('are named by a generation that grows, and what is said about an old one touches no newer one', async () => {
    const profile = await profileOf(project);
    hub.faults.throttle(5_000);
    const { body: first } = await post(project, `${profile}/downloads`);
    expect(first).toMatchObject({ state: expect.stringMatching(/queued|running/), bytesTotal: expect.any(Number) });
    const path = (generation: number) => `${profile}/downloads/${generation}`;
    const cancelled = await remove<ModelDownload>(project, path(first.generation));
    expect(cancelled).toMatchObject({ status: 202, body: { state: 'cancelled', generation: first.generation } });
    await eventually(async () => expect((await remove(project, path(first.generation))).status).toBe(204));
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

  it('show their progress in bytes in the activity, as a list and as a stream of events', async () => {
    const profile = await profileOf(project, CHAT_REPO.id, 'gguf-q8_0');
    hub.faults.throttle(20_000);
    const { body: begun } = await post(project, `${profile}/downloads`);
    const { body } = await project.call<{ activity: RuntimeActivity[] }>('/models/activity');
    expect(body.activity).toMatchObject([{ kind: 'download', modelId: CHAT, generation: begun.generation }]);
    const seen: RuntimeActivity[] = [];
    for await (const event of activityOf(project)) {
      seen.push(event);
      if (event.state === 'completed') break;
    }
    const bytes = seen.flatMap((event) => (event.kind === 'download' ? [event.bytesDone] : []));
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
    expect(bytes.at(-1)).toBe(begun.bytesTotal);
    expect((await remove(project, profile)).status).toBe(202);
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
    expect((await remove(other, two)).status).toBe(202);
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
    expect((await remove(project, profile)).status).toBe(202);
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
