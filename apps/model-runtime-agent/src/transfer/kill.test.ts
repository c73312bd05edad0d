import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { startLoopbackHub, syntheticBytes, type LoopbackHub } from '@clew/testing/hub';
import { CHUNK_BYTES, CONNECTIONS } from '../create-artifact-transfer.ts';
import { REPO_ID } from '../test-support/hub-file.ts';
import { useModelsFolder } from '../test-support/models-folder.ts';

const KILLS = Number(process.env['CLEW_DOWNLOAD_KILLS'] ?? 3);
/** Enough chunks for each kill to find some finished and some in progress. */
const CHUNK_COUNT = Math.max(12, 3 * KILLS);
const CONTENT = syntheticBytes(CHUNK_COUNT * CHUNK_BYTES - 12_345);
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');

const newFolder = useModelsFolder();
let hub: LoopbackHub;

beforeAll(async () => {
  hub = await startLoopbackHub([{ id: REPO_ID, files: { 'model.gguf': CONTENT } }]);
  hub.faults.throttle(40 * 1024 * 1024);
});

afterAll(() => hub.stop());

function startFetching(folder: string): ChildProcess {
  const program = join(import.meta.dirname, '../test-support', 'fetch-process.ts');
  const args = ['--conditions=clew-source', program, hub.url, folder, String(CONTENT.length), SHA256];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Start offsets of the finished chunks in the journal that the killed process left. */
async function chunksDone(folder: string): Promise<Set<number>> {
  const partial = join(folder, 'store', 'partial');
  const [key] = await readdir(partial).catch(() => []);
  const journal = key === undefined ? '' : await readFile(join(partial, key, 'chunks'), 'utf8').catch(() => '');
  const entries = journal.split('\n').flatMap((line) => /^(\d+) \d+;$/.exec(line)?.[1] ?? []);
  return new Set(entries.map((index) => Number(index) * CHUNK_BYTES));
}

/** Start offsets of the chunks that were requested. */
function chunksAsked(): number[] {
  return hub.requests.flatMap(({ origin, range }) =>
    origin === 'cdn' ? [Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)] : [],
  );
}

it(
  `a download that is killed ${KILLS} times fetches at most the open chunks again, and ends with the exact bytes`,
  async () => {
    const folder = await newFolder();
    const points = Array.from({ length: KILLS }, () => Math.random() * 0.95 * CONTENT.length).toSorted((a, b) => a - b);
    let sentBytes = 0;
    let done = new Set<number>();
    let askedAgain = 0;
    for (const point of points) {
      hub.requests.length = 0;
      const fetching = startFetching(folder);
      await eventually(() => expect(sentBytes + hub.cdnBytes()).toBeGreaterThanOrEqual(point), { timeoutMs: 60_000 });
      fetching.kill('SIGKILL');
      await once(fetching, 'exit');
      askedAgain += chunksAsked().filter((start) => done.has(start)).length;
      sentBytes += hub.cdnBytes();
      done = await chunksDone(folder);
    }
    hub.requests.length = 0;
    const fetching = startFetching(folder);
    const [[code], output] = await Promise.all([once(fetching, 'exit'), outputOf(fetching)]);
    askedAgain += chunksAsked().filter((start) => done.has(start)).length;
    sentBytes += hub.cdnBytes();
    const fetchedAgain = sentBytes - CONTENT.length;
    process.stderr.write(
      `${JSON.stringify({ kills: KILLS, sizeBytes: CONTENT.length, fetchedAgainBytes: fetchedAgain })}\n`,
    );
    expect({ code, askedAgain, ...(JSON.parse(output) as object) }).toEqual({
      ...{ code: 0, askedAgain: 0, sha256: SHA256, sizeBytes: CONTENT.length },
    });
    expect(fetchedAgain).toBeLessThanOrEqual(KILLS * CONNECTIONS * CHUNK_BYTES);
    expect(CONTENT.equals(await readFile(join(folder, 'model.gguf')))).toBe(true);
  },
  20_000 + KILLS * 10_000,
);

async function outputOf({ stdout }: ChildProcess): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of stdout ?? []) pieces.push(String(piece));
  return pieces.join('');
}
