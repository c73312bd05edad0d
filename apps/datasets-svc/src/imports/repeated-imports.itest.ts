import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Dataset, DatasetImportReport, Example } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { createTcpFault, eventually, propertyRuns, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { IMPORT_BATCH_EXAMPLES } from './import-run.ts';

const environment = useTestEnvironment();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
});

afterAll(() => service.stop());

/** Lines of which every tenth is refused. */
const linesOf = (count: number, name = 'line') =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      payload: { input: index % 10 === 9 ? { type: 'x' } : { type: 'text', text: `${name} ${index}` } },
    }),
  );
const fileOf = (count: number, name?: string) => `${linesOf(count, name).join('\n')}\n`;
const dataset = async (path: string) => (await service.call<Dataset>({ path })).body;

async function send(path: string, file: string | Buffer, key: string, { query = '', headers = {} } = {}) {
  const url = `${path}/imports?format=jsonl${query}`;
  return await service.transfers.upload(url, file, { 'idempotency-key': key, ...headers });
}

async function textsOf(path: string): Promise<string[]> {
  const texts: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await service.call<{ examples: Example[]; nextCursor: string | null }>({
      path: `${path}/examples?limit=1000${more}`,
    });
    texts.push(...body.examples.map(({ payload }) => (payload.input as { text: string }).text));
    cursor = body.nextCursor;
  }
  return texts.toSorted();
}

/**
 * Sends a part of a file, disconnects once that many Examples are stored, and tries again while the attempt before is
 * still open.
 */
async function breakOff(path: string, key: string, part: string, examples: number): Promise<void> {
  await eventually(async () => {
    const socket = service.transfers.beginUpload(`${path}/imports?format=jsonl`, { 'idempotency-key': key });
    let answer = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    socket.write(part);
    try {
      await eventually(async () => {
        if (answer === '') expect((await dataset(path)).exampleCount).toBeGreaterThanOrEqual(examples);
      });
    } finally {
      socket.destroy();
    }
    expect(answer).toBe('');
  });
}

/** Sends a file until it is accepted: the service may not have noticed yet that the earlier sender is gone. */
async function sendUntilTaken(path: string, file: string, key: string) {
  return await eventually(async () => {
    const answer = await send(path, file, key);
    expect(answer.status).not.toBe(409);
    return answer;
  });
}

describe('an import that is repeated with its Idempotency-Key', () => {
  it('gets the first report and imports nothing, whether it asks for conflicts to be treated or not', async () => {
    for (const query of ['', '&onConflict=update']) {
      const { path } = await service.newDataset();
      const first = await send(path, fileOf(2_500), 'whole', { query });
      const after = await dataset(path);
      const again = await send(path, fileOf(2_500), 'whole', { query });
      expect(first).toMatchObject({ status: 200, report: { imported: 2_250, refusedCount: 250 } });
      expect(again).toMatchObject({ status: 200, report: first.report });
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await dataset(path)).toEqual(after);
    }
  });

  it('gets the report of a file that ends early, or is compressed and broken, once more', async () => {
    const { path } = await service.newDataset();
    const whole = gzipSync(fileOf(3_000));
    const headers = { 'content-encoding': 'gzip' };
    for (const [key, file] of Object.entries({
      cut: whole.subarray(0, -100),
      broken: Buffer.concat([whole.subarray(0, 2_000), Buffer.alloc(50_000, 'x')]),
      trailed: Buffer.concat([whole, Buffer.alloc(50_000, 'x')]),
    })) {
      const first = await send(path, file, key, { headers });
      const after = await dataset(path);
      expect(await send(path, file, key, { headers })).toMatchObject({ status: 200, report: first.report });
      expect(await dataset(path)).toEqual(after);
    }
  });

  it('is 422 with another query or another file, and changes nothing', async () => {
    const { path } = await service.newDataset();
    await send(path, fileOf(1_200), 'mine');
    const after = await dataset(path);
    const reused = { status: 422, report: { code: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await send(path, fileOf(1_200), 'mine', { query: '&onConflict=skip' })).toMatchObject(reused);
    expect(await send(path, fileOf(1_201), 'mine')).toMatchObject(reused);
    expect(await send(path, fileOf(1_199), 'mine')).toMatchObject(reused);
    expect(await send(path, fileOf(1_200, 'other'), 'mine')).toMatchObject(reused);
    expect(await dataset(path)).toEqual(after);
  });

  it('is 409 while the first is under way', async () => {
    const { path } = await service.newDataset();
    const socket = service.transfers.beginUpload(`${path}/imports?format=jsonl`, { 'idempotency-key': 'busy' });
    socket.on('error', () => undefined);
    socket.write(fileOf(1_200));
    try {
      await eventually(async () => expect((await dataset(path)).exampleCount).toBeGreaterThan(0));
      expect(await send(path, fileOf(1_200), 'busy')).toMatchObject({
        status: 409,
        report: { code: 'IDEMPOTENCY_KEY_IN_FLIGHT' },
      });
    } finally {
      socket.destroy();
    }
  });

  it('is a new one after a refusal', async () => {
    const { path } = await service.newDataset();
    expect((await send(`/datasets/${newId('dst')}`, fileOf(10), 'refused')).status).toBe(404);
    expect((await send(path, fileOf(10), 'refused', { headers: { 'content-encoding': 'br' } })).status).toBe(415);
    expect(await send(path, fileOf(10), 'refused')).toMatchObject({ status: 200, report: { imported: 9 } });
  });
});

describe('an import that was broken off, and is sent again with its Idempotency-Key', () => {
  it('goes on after what was kept, adds nothing twice, and reports the whole file', async () => {
    const { path } = await service.newDataset();
    const lines = linesOf(4_000);
    await breakOff(path, 'again', lines.slice(0, 2_600).join('\n'), 2 * IMPORT_BATCH_EXAMPLES);
    const kept = await dataset(path);
    expect(kept.exampleCount).toBeLessThan(3_600);
    const { status, report } = await sendUntilTaken(path, `${lines.join('\n')}\n`, 'again');
    expect({ status, ...report }).toMatchObject({ status: 200, imported: 3_600, updated: 0, skipped: 0 });
    expect(report.refusedCount).toBe(400);
    expect(report.refused.map(({ line }) => line)).toEqual(Array.from({ length: 400 }, (_, index) => 10 * index + 10));
    expect((await textsOf(path)).length).toBe(3_600);
    expect(await dataset(path)).toMatchObject({ exampleCount: 3_600 });
    expect((await send(path, fileOf(4_000), 'again')).report).toEqual(report);
  });

  it('is refused where the file begins otherwise than what was kept, and may still be sent as it was', async () => {
    const { path } = await service.newDataset();
    await breakOff(path, 'other', linesOf(2_600).join('\n'), 2 * IMPORT_BATCH_EXAMPLES);
    const reused = { status: 422, report: { code: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await sendUntilTaken(path, fileOf(4_000, 'other'), 'other')).toMatchObject(reused);
    const kept = await dataset(path);
    expect(await send(path, fileOf(100), 'other')).toMatchObject(reused);
    expect(await dataset(path)).toEqual(kept);
    expect((await send(path, fileOf(4_000), 'other')).report).toMatchObject({ imported: 3_600, refusedCount: 400 });
    expect(await dataset(path)).toMatchObject({ exampleCount: 3_600 });
  });

  it('takes effect exactly once, wherever and however often it was broken off', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 2_900 }), { maxLength: 3 }), async (breaks) => {
        const { path } = await service.newDataset();
        const key = `property ${(run += 1)}`;
        const file = fileOf(3_000);
        for (const lines of breaks) {
          const { exampleCount } = await dataset(path);
          // Every tenth line is refused, and the last line has no end yet.
          const full = IMPORT_BATCH_EXAMPLES * Math.floor((lines - 1) / Math.ceil(IMPORT_BATCH_EXAMPLES / 0.9));
          await breakOff(path, key, linesOf(3_000).slice(0, lines).join('\n'), Math.max(exampleCount, full));
        }
        const { report } = await sendUntilTaken(path, file, key);
        expect(report).toMatchObject({ imported: 2_700, refusedCount: 300 });
        expect(await dataset(path)).toMatchObject({ exampleCount: 2_700 });
      }),
      propertyRuns(4),
    );
  });

  it('takes effect once where a batch was written and nobody heard of it', async () => {
    const { hostname: host, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    const unlucky = await startTestService(environment, { mongoUrl: fault.through(environment.mongoUrl) });
    const { path } = await service.newDataset();
    const headers = { 'idempotency-key': 'unheard' };
    const happened = fault.cutAfter('commitTransaction');
    const first = unlucky.transfers.upload(`${path}/imports?format=jsonl`, fileOf(3_000), headers);
    await happened;
    expect([200, 500, 503]).toContain((await first).status);
    const { report } = await sendUntilTaken(path, fileOf(3_000), 'unheard');
    expect(report).toMatchObject({ imported: 2_700, refusedCount: 300 } satisfies Partial<DatasetImportReport>);
    expect(await dataset(path)).toMatchObject({ exampleCount: 2_700 });
    await unlucky.stop();
    await fault.close();
  });
});

it('a reason that is as long as the line it refuses is cut', async () => {
  const { path } = await service.newDataset();
  const line = JSON.stringify({ ['k'.repeat(100_000)]: 1, payload: { input: { type: 'text', text: 'a' } } });
  const { report } = await service.transfers.upload(`${path}/imports?format=jsonl`, line);
  expect(report.refused[0]?.reason.length).toBe(512);
});
