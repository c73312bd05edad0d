import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startLoopbackHub, syntheticBytes, type LoopbackHub } from '@clew/testing/hub';
import { hubFile, REPO_ID } from '../test-support/hub-file.ts';
import { cdnRanges, CHUNK_BYTES, transferIn, type TestTransferOptions } from '../test-support/transfer.ts';
import { useModelsFolder } from '../test-support/models-folder.ts';

const WEIGHTS = syntheticBytes(10 * CHUNK_BYTES + 4_321);
const SHA256 = sha256Of(WEIGHTS);
const CONFIG = '{"architectures":["Tiny"]}';
const never = new AbortController().signal;

const modelsFolder = useModelsFolder();
let hub: LoopbackHub;

beforeAll(async () => {
  hub = await startLoopbackHub();
});

beforeEach(() => {
  hub.put({ id: REPO_ID, files: { 'model.gguf': WEIGHTS, 'config.json': CONFIG, 'empty.txt': '' } });
  hub.requests.length = 0;
  hub.faults.reset();
});

afterAll(() => hub.stop());

function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function newTransfer(options: Partial<TestTransferOptions> = {}) {
  return transferIn({ hubUrl: hub.url, folder: await modelsFolder(), ...options });
}

describe('an artifact of the hub', () => {
  it('arrives byte for byte, in parallel ranges, with its hash and its progress', async () => {
    const transfer = await newTransfer();
    const seen: number[] = [];
    const destination = transfer.destination('model.gguf');
    const onProgress = ({ bytesDone }: { bytesDone: number }) => void seen.push(bytesDone);
    const file = hubFile('model.gguf', { sizeBytes: WEIGHTS.length, sha256: SHA256 });
    const fetched = await transfer.fetchArtifact({ file, destination, onProgress, signal: never });
    expect(fetched).toEqual({ sha256: SHA256, sizeBytes: WEIGHTS.length });
    expect(WEIGHTS.equals(await readFile(destination))).toBe(true);
    expect(cdnRanges(hub).toSorted()).toHaveLength(11);
    expect(hub.cdnBytes()).toBe(WEIGHTS.length);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(seen.at(-1)).toBe(WEIGHTS.length);
    await transfer.close();
  });

  it('is verified by what the hub says where the catalog does not know its hash', async () => {
    const transfer = await newTransfer();
    for (const [path, content] of Object.entries({ 'model.gguf': WEIGHTS, 'config.json': CONFIG, 'empty.txt': '' })) {
      const destination = transfer.destination(path);
      const fetched = await transfer.fetchArtifact({ file: hubFile(path), destination, signal: never });
      expect({ path, ...fetched }).toEqual({ path, sha256: sha256Of(content), sizeBytes: content.length });
    }
    await transfer.close();
  });

  it('goes on over connections that are cut, without fetching a byte twice', async () => {
    const transfer = await newTransfer();
    hub.faults.cutBodies(10_000, 12);
    const destination = transfer.destination('model.gguf');
    await transfer.fetchArtifact({ file: hubFile('model.gguf'), destination, signal: never });
    expect(WEIGHTS.equals(await readFile(destination))).toBe(true);
    expect(hub.cdnBytes()).toBe(WEIGHTS.length);
    await transfer.close();
  });

  it('waits and asks again when the hub or the CDN is busy, and when a link has run out', async () => {
    const transfer = await newTransfer({ connections: 1 });
    hub.faults.refuse('hub', 429, { retryAfterSeconds: 0 });
    hub.faults.refuse('cdn', 503, { times: 2 });
    let expired = false;
    const onProgress = () => {
      if (!expired) hub.faults.expireLinks();
      expired = true;
    };
    const destination = transfer.destination('model.gguf');
    await transfer.fetchArtifact({ file: hubFile('model.gguf'), destination, onProgress, signal: never });
    expect(WEIGHTS.equals(await readFile(destination))).toBe(true);
    expect(hub.requests.filter(({ status }) => status === 403)).toHaveLength(1);
    await transfer.close();
  });

  it('is fetched in one piece from a server that answers no ranges, also when that is cut once', async () => {
    const transfer = await newTransfer();
    hub.faults.ignoreRanges(true);
    hub.faults.cutBodies(5 * CHUNK_BYTES, 2);
    const destination = transfer.destination('model.gguf');
    await transfer.fetchArtifact({ file: hubFile('model.gguf'), destination, signal: never });
    expect(WEIGHTS.equals(await readFile(destination))).toBe(true);
    await transfer.close();
  });

  it('ends with UPSTREAM_UNAVAILABLE when nothing comes any more, and goes on from there later', async () => {
    const folder = await modelsFolder();
    const transfer = await newTransfer({ folder, connections: 1 });
    const file = hubFile('model.gguf');
    const destination = transfer.destination('model.gguf');
    let chunks = 0;
    const onProgress = () => {
      chunks += 1;
      if (chunks === 1) hub.faults.refuse('cdn', 500, { times: 4 });
    };
    const first = transfer.fetchArtifact({ file, destination, onProgress, signal: never });
    await expect(first).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', message: /500/ });
    await expect(stat(destination)).rejects.toThrow('ENOENT');
    await transfer.fetchArtifact({ file, destination, signal: never });
    expect(hub.cdnBytes()).toBeLessThanOrEqual(WEIGHTS.length + CHUNK_BYTES);
    await transfer.close();
  });
});

describe('the token of the hub', () => {
  it('goes to the hub and never to the origin that it redirects to', async () => {
    const transfer = await newTransfer();
    hub.put({ id: REPO_ID, gated: 'manual', tokens: ['hf_mine'], files: { 'model.gguf': WEIGHTS } });
    const destination = transfer.destination('model.gguf');
    const file = hubFile('model.gguf', { gated: true });
    await transfer.fetchArtifact({ file, destination, hubToken: 'hf_mine', signal: never });
    const authorised = hub.requests.filter(({ authorization }) => authorization !== undefined);
    expect(authorised.map(({ origin }) => origin)).toEqual(['hub']);
    await transfer.close();
  });

  it('is asked of each project, also where the artifact is on the machine already', async () => {
    const transfer = await newTransfer({ hubToken: 'hf_mine' });
    hub.put({ id: REPO_ID, gated: 'auto', tokens: ['hf_mine'], files: { 'model.gguf': WEIGHTS } });
    const file = hubFile('model.gguf', { gated: true, sha256: SHA256 });
    await transfer.fetchArtifact({ file, destination: transfer.destination('a'), hubToken: 'hf_mine', signal: never });
    for (const hubToken of ['hf_other', undefined]) {
      const refused = transfer.fetchArtifact({ file, destination: transfer.destination('b'), hubToken, signal: never });
      await expect(refused).rejects.toMatchObject({ code: 'GATED_REPOSITORY' });
    }
    await expect(stat(transfer.destination('b'))).rejects.toThrow('ENOENT');
    expect(hub.cdnBytes()).toBe(WEIGHTS.length);
    await transfer.close();
  });
});

describe('what is not what it should be', () => {
  it('is fetched again when a byte was turned in flight, and is never at its destination', async () => {
    const transfer = await newTransfer();
    hub.faults.flipByte('model.gguf', WEIGHTS.length - 1);
    const destination = transfer.destination('model.gguf');
    await transfer.fetchArtifact({ file: hubFile('model.gguf'), destination, signal: never });
    expect(sha256Of(await readFile(destination))).toBe(SHA256);
    expect(hub.cdnBytes()).toBe(2 * WEIGHTS.length);
    await transfer.close();
  });

  it('is CHECKSUM_MISMATCH when it comes wrong twice, and leaves nothing', async () => {
    const transfer = await newTransfer();
    hub.faults.flipByte('model.gguf', 17, 2);
    const destination = transfer.destination('model.gguf');
    const fetching = transfer.fetchArtifact({ file: hubFile('model.gguf'), destination, signal: never });
    await expect(fetching).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    await expect(stat(destination)).rejects.toThrow('ENOENT');
    expect(await readdir(join(transfer.folder, 'store', 'partial'))).toEqual([]);
    await transfer.close();
  });

  it('is not fetched at all where the hub offers another file than the catalog names', async () => {
    const transfer = await newTransfer();
    const file = hubFile('model.gguf', { sha256: '0'.repeat(64) });
    const fetching = transfer.fetchArtifact({ file, destination: transfer.destination('x'), signal: never });
    await expect(fetching).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    expect(hub.cdnBytes()).toBe(0);
    await transfer.close();
  });

  it('is found when a file changed on the disk, and then fetched again', async () => {
    const transfer = await newTransfer();
    const file = hubFile('model.gguf', { sha256: SHA256 });
    const [one, other] = [transfer.destination('one'), transfer.destination('other')];
    await transfer.fetchArtifact({ file, destination: one, signal: never });
    await transfer.verifyArtifact(one, SHA256, never);
    const bytes = await readFile(one);
    bytes.writeUInt8(bytes.readUInt8(99) ^ 1, 99);
    await writeFile(one, bytes);
    await transfer.fetchArtifact({ file, destination: other, signal: never });
    await transfer.verifyArtifact(other, SHA256, never);
    await expect(transfer.verifyArtifact(one, SHA256, never)).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
    await expect(stat(one)).rejects.toThrow('ENOENT');
    await transfer.close();
  });
});

describe('the store', () => {
  it('holds an artifact once, however many ask for it, one after the other or at once', async () => {
    const transfer = await newTransfer();
    const file = hubFile('model.gguf', { sha256: SHA256 });
    const destinations = ['a/m', 'b/m', 'c/m'].map((name) => transfer.destination(name));
    await Promise.all(destinations.map((destination) => transfer.fetchArtifact({ file, destination, signal: never })));
    const inodes = await Promise.all(destinations.map(async (path) => (await stat(path)).ino));
    expect(new Set(inodes).size).toBe(1);
    expect(hub.cdnBytes()).toBe(WEIGHTS.length);
    await transfer.close();
  });

  it('serves what it has without the hub', async () => {
    const folder = await modelsFolder();
    const transfer = await newTransfer({ folder });
    const file = hubFile('model.gguf', { sha256: SHA256 });
    await transfer.fetchArtifact({ file, destination: transfer.destination('a'), signal: never });
    const offline = transferIn({ hubUrl: 'http://127.0.0.1:9', folder });
    await offline.fetchArtifact({ file, destination: offline.destination('b'), signal: never });
    expect(sha256Of(await readFile(offline.destination('b')))).toBe(SHA256);
    await Promise.all([transfer.close(), offline.close()]);
  });

  it('frees what nobody has a link to, and nothing else', async () => {
    const transfer = await newTransfer();
    const config = hubFile('config.json');
    await transfer.fetchArtifact({
      file: hubFile('model.gguf'),
      destination: transfer.destination('m'),
      signal: never,
    });
    await transfer.fetchArtifact({ file: config, destination: transfer.destination('c'), signal: never });
    await rm(transfer.destination('m'));
    await transfer.removeUnused();
    expect(await readdir(join(transfer.folder, 'store', 'blobs'))).toEqual([sha256Of(CONFIG)]);
    await transfer.close();
  });
});

describe('a download that cannot be', () => {
  it('is INSUFFICIENT_DISK before its first byte, counting what is there already', async () => {
    const freeBytes = async () => 64 * 1024 * 1024 + WEIGHTS.length - 1;
    const transfer = await newTransfer({ freeBytes });
    const destination = transfer.destination('model.gguf');
    const fetching = transfer.fetchArtifact({ file: hubFile('model.gguf'), destination, signal: never });
    await expect(fetching).rejects.toMatchObject({ code: 'INSUFFICIENT_DISK', status: 409 });
    expect(hub.cdnBytes()).toBe(0);
    await transfer.close();
  });

  it('is ARTIFACT_SIZE_UNKNOWN where neither the hub nor the catalog knows how large it is', async () => {
    const transfer = await newTransfer();
    hub.faults.hideSizes(true);
    const destination = transfer.destination('model.gguf');
    const fetching = transfer.fetchArtifact({ file: hubFile('model.gguf'), destination, signal: never });
    await expect(fetching).rejects.toMatchObject({ code: 'ARTIFACT_SIZE_UNKNOWN' });
    const file = hubFile('model.gguf', { sizeBytes: WEIGHTS.length });
    await transfer.fetchArtifact({ file, destination, signal: never });
    await transfer.close();
  });

  it.each([
    ['a repository that does not exist', hubFile('model.gguf', { repoId: 'nobody/nothing' })],
    ['a file that the repository does not hold', hubFile('other.gguf')],
  ])('is MODEL_NOT_FOUND for %s', async (_name, file) => {
    const transfer = await newTransfer();
    const fetching = transfer.fetchArtifact({ file, destination: transfer.destination('x'), signal: never });
    await expect(fetching).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    await transfer.close();
  });
});

describe('a cancelled download', () => {
  it('stops, keeps what it has for the next time, and lets others go on that wait for the same', async () => {
    const transfer = await newTransfer({ connections: 1 });
    const cancelled = new AbortController();
    hub.faults.throttle(20 * CHUNK_BYTES);
    const file = hubFile('model.gguf');
    const onProgress = ({ bytesDone }: { bytesDone: number }) => {
      if (bytesDone > 3 * CHUNK_BYTES) cancelled.abort(new Error('cancelled'));
    };
    const first = transfer.fetchArtifact({
      ...{ file, onProgress, signal: cancelled.signal },
      destination: transfer.destination('first'),
    });
    const second = transfer.fetchArtifact({ file, destination: transfer.destination('second'), signal: never });
    await expect(first).rejects.toThrow('cancelled');
    hub.faults.throttle(0);
    await second;
    expect(sha256Of(await readFile(transfer.destination('second')))).toBe(SHA256);
    expect(hub.cdnBytes()).toBeLessThanOrEqual(WEIGHTS.length + CHUNK_BYTES);
    await expect(stat(transfer.destination('first'))).rejects.toThrow('ENOENT');
    await transfer.close();
  });

  it('leaves nothing on the disk once it is discarded', async () => {
    const transfer = await newTransfer();
    hub.faults.refuse('cdn', 500, { times: 20 });
    const file = hubFile('model.gguf');
    const fetching = transfer.fetchArtifact({ file, destination: transfer.destination('x'), signal: never });
    await expect(fetching).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await transfer.discardPartial(file);
    expect(await readdir(join(transfer.folder, 'store', 'partial'))).toEqual([]);
    await transfer.close();
  });
});
