import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { downloadFile, fileDownloadInfo, listFiles, listModels, modelInfo, pathsInfo } from '@huggingface/hub';
import { startLoopbackHub, type LoopbackHub } from './loopback-hub.ts';
import { GATED, HIDDEN, LARGE, OTHERS, REPO, sha256Of, SMALL, TOKEN } from './test-support/hub-repos.ts';

let hub: LoopbackHub;

beforeAll(async () => {
  hub = await startLoopbackHub([REPO, GATED, HIDDEN, ...OTHERS], { pageSize: 2 });
});

beforeEach(() => {
  hub.requests.length = 0;
  hub.faults.reset();
});

afterAll(() => hub.stop());

async function bytesOf(blob: Blob | null): Promise<Buffer> {
  return Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}

describe('the official JavaScript client', () => {
  const common = {
    get hubUrl() {
      return hub.url;
    },
  };

  it('walks through all pages of models, and searches', async () => {
    const models = await all(listModels({ ...common, sort: 'downloads', additionalFields: ['tags', 'sha'] }));
    expect(models).toHaveLength(7);
    expect(models[0]).toMatchObject({ name: REPO.id, task: 'text-generation', downloads: 9, gated: false });
    expect(models[0]?.tags).toEqual(['gguf', 'text-generation', 'license:mit']);
    const search = { query: 'tiny', task: 'text-generation' as const, tags: ['gguf'] };
    expect((await all(listModels({ ...common, search }))).map(({ name }) => name)).toEqual([REPO.id]);
    expect(hub.requests.length).toBe(5);
  });

  it('reads a repository, its tree over pages, and chosen paths', async () => {
    const info = await modelInfo({ ...common, name: REPO.id, additionalFields: ['sha', 'filePaths'] });
    expect(info).toMatchObject({ name: REPO.id, sha: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const files = await all(listFiles({ ...common, repo: REPO.id, recursive: true }));
    expect(files.map(({ path, type }) => `${type} ${path}`)).toEqual([
      'directory weights',
      'file README.md',
      'file config.json',
      'file weights/model.bin',
    ]);
    expect(files[3]).toMatchObject({ size: LARGE.length, lfs: { oid: sha256Of(LARGE), size: LARGE.length } });
    const flat = await all(listFiles({ ...common, repo: REPO.id }));
    expect(flat.map(({ path }) => path)).toEqual(['weights', 'README.md', 'config.json']);
    const [path] = await pathsInfo({ ...common, repo: REPO.id, paths: ['weights/model.bin', 'missing'] });
    expect(path).toMatchObject({ path: 'weights/model.bin', lfs: { oid: sha256Of(LARGE) } });
  });

  it('downloads large files from the CDN and small ones from the hub, and never gives the CDN a token', async () => {
    for (const [name, content] of Object.entries({ 'weights/model.bin': LARGE, 'config.json': SMALL })) {
      const info = await fileDownloadInfo({ ...common, repo: GATED.id, path: name, accessToken: TOKEN });
      expect(info).toMatchObject({ size: Buffer.byteLength(content) });
      const blob = await downloadFile({ ...common, repo: GATED.id, path: name, accessToken: TOKEN });
      expect(sha256Of(await bytesOf(blob))).toBe(sha256Of(content));
    }
    const cdn = hub.requests.filter(({ origin }) => origin === 'cdn');
    expect(cdn.length).toBeGreaterThan(0);
    expect(cdn.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('is refused as by the real hub', async () => {
    const refused = async (work: Promise<unknown>) => (await work.catch((error: unknown) => error)) as object;
    const download = { ...common, repo: GATED.id, path: 'weights/model.bin' };
    expect(await refused(downloadFile(download))).toMatchObject({ statusCode: 401 });
    expect(await refused(downloadFile({ ...download, accessToken: 'hf_x' }))).toMatchObject({ statusCode: 403 });
    expect(await refused(modelInfo({ ...common, name: HIDDEN.id }))).toMatchObject({ statusCode: 401 });
    expect(await refused(modelInfo({ ...common, name: HIDDEN.id, accessToken: 'hf_x' }))).toMatchObject({
      statusCode: 404,
    });
    expect(await modelInfo({ ...common, name: HIDDEN.id, accessToken: TOKEN })).toMatchObject({ private: true });
    expect(await fileDownloadInfo({ ...common, repo: REPO.id, path: 'missing' })).toBeNull();
    hub.faults.refuse('hub', 429, { retryAfterSeconds: 7 });
    expect((await fetch(`${hub.url}/api/models`)).headers.get('retry-after')).toBe('7');
  });

  it('takes a file with a byte that was turned in flight for the right one: it does not look', async () => {
    hub.faults.flipByte('weights/model.bin', 100);
    const blob = await downloadFile({ ...common, repo: REPO.id, path: 'weights/model.bin' });
    expect(sha256Of(await bytesOf(blob))).not.toBe(sha256Of(LARGE));
  });
});

describe('a range', () => {
  it('is answered with its part, 416 beyond the end, and everything where ranges are ignored', async () => {
    const url = `${hub.url}/${REPO.id}/resolve/main/weights/model.bin`;
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
    expect({ status: part.status, range: part.headers.get('content-range') }).toEqual({
      ...{ status: 206, range: `bytes 10-19/${LARGE.length}` },
    });
    expect(Buffer.from(await part.arrayBuffer()).equals(LARGE.subarray(10, 20))).toBe(true);
    expect((await fetch(url, { headers: { range: `bytes=${LARGE.length}-` } })).status).toBe(416);
    hub.faults.ignoreRanges(true);
    const whole = await fetch(url, { headers: { range: 'bytes=10-19' } });
    expect({ status: whole.status, bytes: (await whole.arrayBuffer()).byteLength }).toEqual({
      ...{ status: 200, bytes: LARGE.length },
    });
  });
});
