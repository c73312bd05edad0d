import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startLoopbackHub, syntheticBytes, type LoopbackHub } from '@clew/testing/hub';
import { hubFile } from '../test-support/hub-file.ts';
import { CHUNK_BYTES, transferIn, type TestTransfer } from '../test-support/transfer.ts';
import { useModelsFolder } from '../test-support/models-folder.ts';

const SHARED = syntheticBytes(CHUNK_BYTES + 17);
const SMALL = syntheticBytes(301);
/** Content whose hashing takes longer than the other work of the tests. */
const LARGE = syntheticBytes(64 * CHUNK_BYTES);
/** Two repositories with the same bytes. */
const FILES = [
  { repoId: 'acme/one', path: 'shared.gguf', content: SHARED },
  { repoId: 'acme/other', path: 'same.gguf', content: SHARED },
  { repoId: 'acme/other', path: 'small.gguf', content: SMALL },
];
const signal = new AbortController().signal;

const modelsFolder = useModelsFolder();
let hub: LoopbackHub;

beforeAll(async () => {
  hub = await startLoopbackHub([
    { id: 'acme/one', files: { 'shared.gguf': SHARED } },
    { id: 'acme/other', files: { 'same.gguf': SHARED, 'small.gguf': SMALL } },
  ]);
});

afterAll(() => hub.stop());

async function newTransfer(): Promise<TestTransfer> {
  return transferIn({ hubUrl: hub.url, folder: await modelsFolder() });
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Lets other work run for `count` turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** User that takes a file, keeps it for a while and gives it back. */
const user = fc.record({
  file: fc.nat(FILES.length - 1),
  comesAfter: fc.nat(60),
  keepsFor: fc.nat(20),
  times: fc.integer({ min: 1, max: 3 }),
});
type User = typeof user extends fc.Arbitrary<infer Value> ? Value : never;

async function takeAndGiveBack(transfer: TestTransfer, { file: index, keepsFor }: User, name: string): Promise<void> {
  const { path, repoId, content } = FILES[index]!;
  const sha256 = sha256Of(content);
  const file = hubFile(path, { repoId, sha256, sizeBytes: content.length });
  const destination = transfer.destination(name);
  await transfer.fetchArtifact({ file, destination, signal });
  await turns(keepsFor);
  await transfer.verifyArtifact(destination, sha256, signal);
  expect(content.equals(await readFile(destination))).toBe(true);
  await rm(destination);
  await transfer.discardPartial(file);
  await transfer.removeUnused();
}

describe('the content that several use', () => {
  it('is there for each of them, whoever gives it back meanwhile, and gone after the last', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(user, { minLength: 2, maxLength: 6 }), async (users) => {
        const transfer = await newTransfer();
        const uses = users.map(async (one, index) => {
          await turns(one.comesAfter);
          for (let time = 0; time < one.times; time += 1) await takeAndGiveBack(transfer, one, `${index}/${time}`);
        });
        await Promise.all(uses);
        expect(await readdir(join(transfer.folder, 'store', 'blobs'))).toEqual([]);
        await transfer.close();
      }),
      { numRuns: 40 },
    );
  });

  it('is not freed from under somebody who is about to take it', async () => {
    const { store, folder, destination, close } = await newTransfer();
    await putBlob(folder, sha256Of(LARGE), LARGE);
    const taking = store.place(sha256Of(LARGE), destination('taken'), signal);
    await store.removeUnused();
    expect(await taking).toBe(true);
    await store.removeUnused();
    expect(LARGE.equals(await readFile(destination('taken')))).toBe(true);
    expect(await store.place(sha256Of(LARGE), destination('later'), signal)).toBe(true);
    await close();
  });

  it('stays, intact, where another copy of it was found damaged just before', async () => {
    const { store, folder, destination, close } = await newTransfer();
    const sha256 = sha256Of(SHARED);
    await putBlob(folder, sha256, LARGE);
    await writeFile(join(folder, 'fetched'), SHARED);
    const looking = store.place(sha256, destination('looks'), signal);
    await store.adopt(join(folder, 'fetched'), sha256, destination('fetched'));
    expect(await looking).toBe(false);
    expect(await store.place(sha256, destination('later'), signal)).toBe(true);
    expect(SHARED.equals(await readFile(destination('later')))).toBe(true);
    await close();
  });
});

/** Puts content into a store without any link to it. */
async function putBlob(folder: string, sha256: string, content: Buffer): Promise<void> {
  await mkdir(join(folder, 'store', 'blobs'), { recursive: true });
  await writeFile(join(folder, 'store', 'blobs', sha256), content);
}
