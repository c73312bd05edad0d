import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { allowanceChanged, type IngestAllowance, type IngestCount } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { eventually, useTestEnvironment } from '@clew/testing';
import { announceChange } from '../test-support/announce-change.ts';
import { NOW_MS } from '../test-support/decoding.ts';
import { readableSpan } from '../test-support/readable-spans.ts';
import { IMPORT_PATH, JSON_TYPE, startTestIngest, type TestIngest } from '../test-support/service.ts';

const environment = useTestEnvironment();
const NO_LIMIT = { bytes: null, records: null };
const DAY_MS = 24 * 3_600_000;
const NEXT_DAY_MS = (Math.floor(NOW_MS / DAY_MS) + 1) * DAY_MS;
let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startTestIngest(environment);
});

afterEach(async () => {
  expect(ingest.budget.usedBytes).toBe(0);
  await ingest.takeRecords();
});

afterAll(() => ingest.stop());

/** Warehouse that gives one process all of a quota of records, as far as it is asked for. */
class Quota {
  readonly reports: IngestCount[] = [];
  counted = 0;
  /** Records that other processes have counted. */
  others = 0;
  limit: number | null;
  storage: IngestAllowance['storage'] = null;

  constructor(limit: number | null, by: TestIngest = ingest) {
    this.limit = limit;
    by.privacy.allow = (count) => this.allow(count);
  }

  allow(count: IngestCount): IngestAllowance {
    const { projectId, day, counted, needed, wanted } = count;
    this.reports.push(count);
    this.counted = Math.max(this.counted, counted.records);
    const used = { bytes: counted.bytes, records: this.counted + this.others };
    const { limit } = this;
    if (limit === null) return { projectId, day, limit: NO_LIMIT, used, mayReach: NO_LIMIT, storage: this.storage };
    const free = Math.max(0, limit - used.records);
    const granted = Math.min(free, Math.max(needed.records, wanted.records));
    const mayReach = { bytes: null, records: counted.records + granted };
    return { ...{ projectId, day, used, mayReach }, limit: { bytes: null, records: limit }, storage: this.storage };
  }
}

let spans = 0;
function exportOf(count: number, by = ingest) {
  const some = Array.from({ length: count }, () => readableSpan((spans += 1)));
  return by.send({ headers: JSON_TYPE, body: JsonTraceSerializer.serializeRequest(some) ?? '' });
}

describe('a quota of what a project sends', () => {
  it('refuses with 429, its figures and when it opens; what was accepted is in the queue', async () => {
    const quota = new Quota(3);
    expect((await exportOf(4)).status).toBe(429);
    quota.reports.length = 0;
    const room = 3;
    await eventually(async () => expect((await exportOf(room)).status).toBe(200));
    const refused = await exportOf(1);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(Math.ceil((NEXT_DAY_MS - NOW_MS) / 1_000)));
    expect(refused.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      quota: { quota: 'ingestedRecordsPerDay', limit: quota.limit, opensAtMs: NEXT_DAY_MS },
    });
    const line = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] });
    const imported = await ingest.send({
      headers: { 'content-type': 'application/x-ndjson' },
      path: IMPORT_PATH,
      body: line,
    });
    expect(imported).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
    expect((await ingest.takeRecords()).spans).toHaveLength(room);
    quota.limit = null;
    await announceChange(ingest.broker, allowanceChanged);
    await eventually(async () => expect((await exportOf(1)).status).toBe(200));
  });

  it('of what it stores refuses as well, and does not say when it opens', async () => {
    const quota = new Quota(null);
    quota.storage = { limit: 10, used: 12 };
    await announceChange(ingest.broker, allowanceChanged);
    await eventually(async () => {
      expect((await exportOf(1)).body).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        quota: { quota: 'storedBytes', limit: 10, used: 12, opensAtMs: null },
      });
    });
    quota.storage = null;
    await announceChange(ingest.broker, allowanceChanged);
    await eventually(async () => expect((await exportOf(1)).status).toBe(200));
  });

  it('counts each accepted record once, and tells all when the process ends', async () => {
    const other = await startTestIngest(environment);
    const quota = new Quota(1_000, other);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => exportOf(index + 1, other)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const { spans: taken } = await other.takeRecords();
    await other.stop();
    expect(taken).toHaveLength(210);
    expect(quota.counted).toBe(210);
    expect(quota.reports.at(-1)?.wanted).toEqual({ bytes: 0, records: 0 });
    expect(quota.reports.length).toBeLessThan(40);
  });

  it('begins anew with the next day', async () => {
    const other = await startTestIngest(environment);
    const quota = new Quota(1, other);
    expect((await exportOf(1, other)).status).toBe(200);
    expect((await exportOf(1, other)).status).toBe(429);
    other.clock.advance(NEXT_DAY_MS - NOW_MS);
    quota.counted = 0;
    expect((await exportOf(1, other)).status).toBe(200);
    expect(new Set(quota.reports.map(({ day }) => day)).size).toBe(2);
    await other.stop();
  });

  it('is no reason to lose telemetry while nobody can tell it; the counts are told later', async () => {
    const other = await startTestIngest(environment);
    const quota = new Quota(1, other);
    other.privacy.allow = () => {
      throw new AppError('OVERLOADED', 'away');
    };
    for (let sent = 0; sent < 3; sent += 1) expect((await exportOf(1, other)).status).toBe(200);
    other.privacy.allow = (count) => quota.allow(count);
    await eventually(() => expect(quota.counted).toBe(3));
    await eventually(async () => expect((await exportOf(1, other)).status).toBe(429));
    await other.takeRecords();
    await other.stop();
  });
});
