import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLoopbackHub, syntheticBytes, type LoopbackHub } from '@clew/testing/hub';
import { REPO_ID } from '../test-support/hub-file.ts';
import { useModelsFolder } from '../test-support/models-folder.ts';
import { CHUNK_BYTES } from '../test-support/transfer.ts';

const run = promisify(execFile);
const CONNECTIONS = 4;
const CONTENT = syntheticBytes(24 * CHUNK_BYTES - 777);
/** Room for twelve chunks, the folders and the journal. */
const DISK_BYTES = 13 * CHUNK_BYTES;
/** Options for a process that may mount a file system which no other process sees. */
const APART = ['--user', '--map-root-user', '--mount', '--'] as const;

const newFolder = useModelsFolder();
let hub: LoopbackHub;

beforeAll(async () => {
  hub = await startLoopbackHub([{ id: REPO_ID, files: { 'model.gguf': CONTENT } }]);
});

afterAll(() => hub.stop());

async function whyNot(folder: string): Promise<string | undefined> {
  return run('unshare', [...APART, 'mount', '-t', 'tmpfs', 'tmpfs', folder]).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

it('a disk that is full in the middle of a download is INSUFFICIENT_DISK, and what is there is kept for when there is room', async () => {
  const folder = await newFolder();
  const missing = await whyNot(folder);
  if (missing !== undefined) {
    process.stderr.write(`SKIPPED: no disk is filled, no file system can be mounted here: ${missing}\n`);
    return;
  }
  const program = join(import.meta.dirname, '../test-support', 'full-disk-process.ts');
  const args = ['--conditions=clew-source', program, hub.url, folder, String(DISK_BYTES)];
  const { stdout } = await run('unshare', [...APART, process.execPath, ...args]);
  const [full, whole] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(full).toEqual({ code: 'INSUFFICIENT_DISK', isThere: false });
  expect(whole).toEqual({ sha256: createHash('sha256').update(CONTENT).digest('hex') });
  // Only chunks in progress when the disk became full were fetched twice.
  expect(hub.cdnBytes() - CONTENT.length).toBeLessThanOrEqual(CONNECTIONS * CHUNK_BYTES);
});
