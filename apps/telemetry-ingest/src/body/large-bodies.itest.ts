import { rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { eventually, useTestEnvironment } from '@clew/testing';
import { attribute, requestOf, spanMessage } from '../test-support/protobuf.ts';
import { readableSpan } from '../test-support/readable-spans.ts';
import { GZIP, JSON_TYPE, PROTOBUF, startTestIngest, type Call, type TestIngest } from '../test-support/service.ts';

const MIB = 1024 * 1024;
const environment = useTestEnvironment();
const SPANS = Array.from({ length: 1_000 }, (_, index) => readableSpan(index));
const AS_PROTOBUF = ProtobufTraceSerializer.serializeRequest(SPANS)!;
const AS_JSON = JsonTraceSerializer.serializeRequest(SPANS)!;
let ingest: TestIngest;

beforeAll(async () => {
  ingest = await startTestIngest(environment, {
    variables: {
      SPOOL_THRESHOLD_BYTES: 64 * 1024,
      MAX_OTLP_BODY_BYTES: 12 * MIB,
      MAX_OTLP_DECOMPRESSED_BYTES: 24 * MIB,
      MAX_SPOOLS: 4,
    },
  });
});

afterEach(async () => {
  await eventually(() => expect(ingest.budget.usedBytes).toBe(0));
  expect(ingest.spools.openCount).toBe(0);
  expect(await ingest.openSpoolFiles()).toEqual([]);
  await ingest.takeRecords();
});

afterAll(() => ingest.stop());

describe('a body that goes through a file', () => {
  it.each<[string, Call]>([
    ['protobuf', { headers: PROTOBUF, body: AS_PROTOBUF }],
    ['JSON', { headers: JSON_TYPE, body: AS_JSON }],
    ['protobuf with gzip', { headers: { ...PROTOBUF, ...GZIP }, body: gzipSync(AS_PROTOBUF) }],
    ['JSON with gzip', { headers: { ...JSON_TYPE, ...GZIP }, body: gzipSync(AS_JSON) }],
  ])('as %s arrives whole', async (_name, call) => {
    expect(await ingest.send(call)).toMatchObject({ status: 200 });
    const ids = (await ingest.takeRecords()).spans.map(({ record }) => record.spanId);
    expect(ids).toEqual(SPANS.map((span) => span.spanContext().spanId));
  });

  it('keeps the order of pieces of any size', async () => {
    const body = new PassThrough();
    const answer = ingest.send({ headers: PROTOBUF, body });
    for (let start = 0, size = 1; start < AS_PROTOBUF.length; start += size, size = (size * 7) % 9_973) {
      body.write(AS_PROTOBUF.subarray(start, start + size));
    }
    body.end();
    expect(await answer).toMatchObject({ status: 200 });
    expect((await ingest.takeRecords()).spans).toHaveLength(SPANS.length);
  });

  it('may hold a record that is larger than what is read at a time', async () => {
    const large = 'x'.repeat(3 * MIB);
    const body = requestOf(spanMessage([5, 'first']), spanMessage(attribute('large', [1, large])), spanMessage());
    expect(await ingest.send({ headers: PROTOBUF, body })).toMatchObject({ status: 200 });
    const { spans } = await ingest.takeRecords();
    expect(spans.map(({ record }) => String(record.attributes['large'] ?? '').length)).toEqual([0, large.length, 0]);
  });

  it.each<[string, number, Call]>([
    ['that is malformed at its end', 400, { headers: PROTOBUF, body: AS_PROTOBUF.subarray(0, -1) }],
    ['that is JSON cut at its end', 400, { headers: JSON_TYPE, body: AS_JSON.subarray(0, -1) }],
    ['whose gzip is cut', 400, { headers: { ...PROTOBUF, ...GZIP }, body: gzipSync(AS_PROTOBUF).subarray(0, -9) }],
    ['that is too large', 413, { headers: PROTOBUF, body: Buffer.alloc(13 * MIB) }],
    ['that is too large without saying so', 413, { headers: PROTOBUF, body: streamOf(Buffer.alloc(13 * MIB)) }],
    ['that is too large once decompressed', 413, { headers: { ...PROTOBUF, ...GZIP }, body: bombOf(30 * MIB) }],
    [
      'that is too large within its gzip without saying so',
      413,
      { headers: { ...PROTOBUF, ...GZIP }, body: streamOf(noise(13 * MIB)) },
    ],
  ])('%s is %i, and its file is gone', async (_name, status, call) => {
    expect(await ingest.send(call)).toMatchObject({ status });
    expect(await ingest.takeRecords()).toMatchObject({ spans: [] });
  });

  it.each([
    ['plain', {}],
    ['gzip', GZIP],
  ])('of a caller that goes away is dropped (%s)', async (_name, encoding) => {
    const caller = new AbortController();
    const body = new PassThrough();
    const bytes = encoding === GZIP ? gzipSync(AS_PROTOBUF) : AS_PROTOBUF;
    const sent = ingest.send({ headers: { ...PROTOBUF, ...encoding }, body, signal: caller.signal });
    body.write(bytes.subarray(0, bytes.length / 2));
    await eventually(() => expect(ingest.spools.openCount).toBe(1));
    caller.abort();
    await expect(sent).rejects.toThrow('aborted');
    await eventually(() => expect(ingest.spools.openCount).toBe(0));
    expect(await ingest.takeRecords()).toMatchObject({ spans: [] });
  });

  it('is pushed back where it cannot be kept', async () => {
    const homeless = await startTestIngest(environment, { variables: { SPOOL_THRESHOLD_BYTES: 1_024 } });
    await rm(homeless.spoolDirectory, { recursive: true });
    const { status, headers } = await homeless.send({ headers: PROTOBUF, body: AS_PROTOBUF });
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '5' });
    expect(homeless.budget.usedBytes).toBe(0);
    await homeless.stop();
  });
});

describe('any mixture of callers', () => {
  it('leaves nothing held, and nothing but what was acknowledged is missing', async () => {
    const kinds: (() => Promise<number>)[] = [
      async () => (await ingest.send({ headers: PROTOBUF, body: AS_PROTOBUF })).status,
      async () => (await ingest.send({ headers: JSON_TYPE, body: AS_JSON })).status,
      async () => -(await ingest.send({ headers: PROTOBUF, body: AS_PROTOBUF.subarray(0, -3) })).status,
      async () => -(await ingest.send({ headers: { ...PROTOBUF, ...GZIP }, body: bombOf(30 * MIB) })).status,
      () => goAway(AS_PROTOBUF.subarray(0, 200_000)),
      () => goAway(AS_PROTOBUF.subarray(0, 20)),
    ];
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => kinds[index % kinds.length]!()));
    expect(statuses.filter((status) => ![200, 429, 503, -400, -413, -429, -503, 0].includes(status))).toEqual([]);
    const acknowledged = statuses.filter((status) => status === 200).length;
    expect(acknowledged).toBeGreaterThan(0);
    await eventually(() => expect(ingest.budget.usedBytes).toBe(0));
    const stored = (await ingest.takeRecords()).spans.length;
    expect(stored).toBeGreaterThanOrEqual(acknowledged * SPANS.length);
  });
});

/** Begins to send, then cuts the connection; resolves with 0 in place of a status. */
async function goAway(bytes: Uint8Array): Promise<number> {
  const caller = new AbortController();
  const body = new PassThrough();
  const sent = ingest.send({ headers: PROTOBUF, body, signal: caller.signal });
  body.write(bytes, () => caller.abort());
  return await sent.then(
    () => 0,
    () => 0,
  );
}

/** Body without a declared size. */
function streamOf(bytes: Buffer): PassThrough {
  const body = new PassThrough();
  body.end(bytes);
  return body;
}

function bombOf(bytes: number): Buffer {
  return gzipSync(Buffer.alloc(bytes));
}

/** Incompressible gzip body: hardly smaller than its content. */
function noise(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  for (let index = 0, state = 1; index < bytes; index += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    content.writeUInt32LE(state, index);
  }
  return gzipSync(content, { level: 0 });
}
