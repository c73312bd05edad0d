import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { declareQueue, QUEUES, type QueueSpec } from '@clew/messaging';
import { openTestBroker } from '@clew/testing-host';
import { createTcpFault, eventually, useTestEnvironment, type TcpFault } from '@clew/testing';
import { PROJECT_ID } from '../test-support/decoding.ts';
import { attribute, requestOf, SPAN_ID, spanMessage } from '../test-support/protobuf.ts';
import {
  JSON_TYPE,
  PROTOBUF,
  startTestIngest,
  type Answer,
  type TestIngest,
  type TestIngestOptions,
} from '../test-support/service.ts';

const MIB = 1024 * 1024;
const OTHER_PROJECT = `prj_02${'0'.repeat(24)}`;
const environment = useTestEnvironment();
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function start(options: TestIngestOptions = {}): Promise<TestIngest> {
  const ingest = await startTestIngest(environment, options);
  ends.push(async () => {
    await ingest.takeRecords();
    await ingest.stop();
  });
  return ingest;
}

/** Starts an instance that reaches the broker through a proxy that can break connections. */
async function startBehindFault(options: TestIngestOptions = {}): Promise<{ ingest: TestIngest; fault: TcpFault }> {
  const { hostname: host, port } = new URL(environment.amqpUrl);
  const fault = await createTcpFault({ target: { host, port: Number(port) } });
  ends.push(() => fault.close());
  const ingest = await start({ ...options, amqpUrl: fault.through(environment.amqpUrl) });
  return { ingest, fault };
}

function spanSaying(text: string): Buffer {
  return requestOf(spanMessage(attribute('said', [1, text])));
}

/** Span of a megabyte: a few of them are much. */
function largeSpan(): Buffer {
  return spanMessage(attribute('said', [1, 'x'.repeat(MIB)]));
}

function sendSpan(ingest: TestIngest, text = 'a span'): Promise<Answer> {
  return ingest.send({ headers: PROTOBUF, body: spanSaying(text) });
}

async function textsOnQueue(ingest: TestIngest): Promise<unknown[]> {
  return (await ingest.takeRecords()).spans.map(({ record }) => record.attributes['said']);
}

function expectPushedBack({ status, headers, body }: Answer): void {
  expect(body).toMatchObject({ error: 'Service Unavailable', code: 'OVERLOADED', requestId: expect.any(String) });
  expect(status).toBe(503);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

/** Asserts a refusal because the project has used its share. */
function expectHeldBack({ status, headers, body }: Answer): void {
  expect(body).toMatchObject({ error: 'Too Many Requests', code: 'RATE_LIMITED', requestId: expect.any(String) });
  expect(status).toBe(429);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

describe('the answer is 200 only after the confirm of the broker', () => {
  it('a connection that is lost before the message was sent is no 200, and the span is not there', async () => {
    const { ingest, fault } = await startBehindFault();
    const cut = fault.cutBefore('never-sent');
    expectPushedBack(await sendSpan(ingest, 'never-sent'));
    await cut;
    expect(await textsOnQueue(ingest)).toEqual([]);
  });

  it('a connection that is lost between message and confirm is no 200, and the repeat has the same ids', async () => {
    const { ingest, fault } = await startBehindFault();
    const cut = fault.cutAfter('unconfirmed');
    expectPushedBack(await sendSpan(ingest, 'unconfirmed'));
    await cut;
    await eventually(async () => expect((await sendSpan(ingest, 'unconfirmed')).status).toBe(200));
    const { spans } = await ingest.takeRecords();
    expect(spans.length).toBeGreaterThanOrEqual(1);
    expect(new Set(spans.map(({ record }) => record.spanId))).toEqual(new Set([SPAN_ID]));
  });

  it('a confirm that does not come in time is no 200, and its bytes count until the connection ends', async () => {
    const { ingest, fault } = await startBehindFault({ publisher: { confirmTimeoutMs: 200 } });
    const stalled = fault.stallAfter('stalled');
    expectPushedBack(await sendSpan(ingest, 'stalled'));
    await stalled;
    expect(ingest.budget.usedBytes).toBeGreaterThan(0);
    fault.block();
    await eventually(() => expect(ingest.budget.usedBytes).toBe(0));
    fault.unblock();
    await eventually(async () => expect((await sendSpan(ingest)).status).toBe(200));
  });

  it('of several messages, one without confirm is enough to refuse the export', async () => {
    const { ingest, fault } = await startBehindFault();
    const spans = Array.from({ length: 40 }, (_, index) =>
      spanMessage(attribute('said', [1, `${index} `.repeat(9_000)])),
    );
    const cut = fault.cutAfter('39 39 39');
    expectPushedBack(await ingest.send({ headers: PROTOBUF, body: requestOf(...spans) }));
    await cut;
    expect(ingest.budget.usedBytes).toBe(0);
  });
});

describe('a broker that takes nothing is answered with 503 and Retry-After', () => {
  it('while it is away; once it is back spans are taken again', async () => {
    const { ingest, fault } = await startBehindFault({ publisher: { maxWaitMs: 100 } });
    fault.block();
    const startedAtMs = performance.now();
    expectPushedBack(await sendSpan(ingest, 'away'));
    expect(performance.now() - startedAtMs).toBeLessThan(3_000);
    fault.unblock();
    await eventually(async () => expect((await sendSpan(ingest, 'back')).status).toBe(200));
    expect(await textsOnQueue(ingest)).toEqual(['back']);
  });

  it('while it blocks publishers, being short of memory or disk', async () => {
    const { ingest, fault } = await startBehindFault({ publisher: { maxWaitMs: 100 } });
    expect((await sendSpan(ingest)).status).toBe(200);
    fault.sayToClients(connectionMethod(60, 'low on memory'));
    await eventually(async () => expectPushedBack(await sendSpan(ingest, 'blocked')));
    fault.sayToClients(connectionMethod(61));
    await eventually(async () => expect((await sendSpan(ingest, 'unblocked')).status).toBe(200));
    const texts = await textsOnQueue(ingest);
    expect(texts.at(-1)).toBe('unblocked');
    expect(texts).not.toContain('blocked');
  });

  it('while the queue is full, and no longer', async () => {
    const ingest = await start();
    await withoutQueue(QUEUES.spansReceived, async (channel) => {
      await declareQueue(channel, { ...QUEUES.spansReceived, maxLengthBytes: 2_000 });
      await eventually(async () => expectPushedBack(await sendSpan(ingest)));
      expect((await ingest.takeRecords()).spans.length).toBeGreaterThan(0);
      await eventually(async () => expect((await sendSpan(ingest)).status).toBe(200));
    });
  });

  it('while the lane of projects that send much is full, and then those projects alone', async () => {
    const ingest = await start();
    const flood = { headers: PROTOBUF, body: requestOf(...Array.from({ length: 10 }, () => largeSpan())) };
    const others = { headers: PROTOBUF, body: spanSaying('little'), identityProject: OTHER_PROJECT };
    await withoutQueue(QUEUES.spansReceivedBulk, async (channel) => {
      await declareQueue(channel, { ...QUEUES.spansReceivedBulk, maxLengthBytes: 2_000 });
      await eventually(async () => expectPushedBack(await ingest.send(flood)));
      expect((await ingest.send(others)).status).toBe(200);
      expectPushedBack(await sendSpan(ingest, 'of the flooding project'));
      await ingest.takeRecords();
      await eventually(async () => expect((await sendSpan(ingest)).status).toBe(200));
    });
  });

  it('while there is no queue', async () => {
    const ingest = await start();
    await withoutQueue(QUEUES.spansReceived, async () => {
      expectPushedBack(await sendSpan(ingest));
    });
    expect((await sendSpan(ingest)).status).toBe(200);
  });
});

describe('memory is bounded', () => {
  /** Begins an upload: the first `bytes` bytes have arrived, and the rest has not. */
  async function beginUpload(ingest: TestIngest, bytes: number, identityProject = PROJECT_ID) {
    const body = new PassThrough();
    const before = ingest.budget.usedBytes + ingest.spools.openCount;
    const answer = ingest.send({ headers: JSON_TYPE, body, identityProject });
    // Handler so that an early refusal is no unhandled rejection before the test looks at it.
    answer.catch(() => undefined);
    body.write(Buffer.from('{"resourceSpans":[]').toString().padEnd(bytes, ' '));
    await eventually(() => expect(ingest.budget.usedBytes + ingest.spools.openCount).toBeGreaterThan(before));
    return {
      async finish(): Promise<Answer> {
        body.end('}');
        return await answer;
      },
    };
  }

  it('bodies beyond what a project may hold are pushed back, and those under way and of others are answered', async () => {
    const ingest = await start({ variables: { MAX_BYTES_IN_FLIGHT: 16 * MIB } });
    const upload = await beginUpload(ingest, 3 * MIB);
    await eventually(() => expect(ingest.budget.usedBytes).toBeGreaterThan(6 * MIB));
    expectHeldBack(await ingest.send({ headers: PROTOBUF, body: Buffer.alloc(3 * MIB) }));
    const others = await beginUpload(ingest, MIB, OTHER_PROJECT);
    expect(await others.finish()).toMatchObject({ status: 200 });
    expect((await sendSpan(ingest)).status).toBe(200);
    expect(await upload.finish()).toMatchObject({ status: 200 });
    expect(ingest.budget.usedBytes).toBe(0);
  });

  it('large bodies beyond the number of files are pushed back, the last file is never of who has the others', async () => {
    const ingest = await start({ variables: { MAX_SPOOLS: 2, SPOOL_THRESHOLD_BYTES: 1_024 } });
    const large = { headers: PROTOBUF, body: Buffer.alloc(20_000) };
    const uploads = [await beginUpload(ingest, 20_000)];
    await eventually(() => expect(ingest.spools.openCount).toBe(1));
    expectHeldBack(await ingest.send(large));
    uploads.push(await beginUpload(ingest, 20_000, OTHER_PROJECT));
    await eventually(() => expect(ingest.spools.openCount).toBe(2));
    expectPushedBack(await ingest.send({ ...large, identityProject: `prj_03${'0'.repeat(24)}` }));
    expect((await sendSpan(ingest)).status).toBe(200);
    for (const upload of uploads) expect(await upload.finish()).toMatchObject({ status: 200 });
    expect(await ingest.openSpoolFiles()).toEqual([]);
  });
});

/**
 * Runs while the queue is deleted, or declared by the test with other limits; afterwards the real queue is declared
 * anew, whatever was in the other one.
 */
async function withoutQueue(
  queue: QueueSpec,
  run: (channel: Parameters<typeof declareQueue>[0]) => Promise<void>,
): Promise<void> {
  const broker = await openTestBroker(environment, { service: 'telemetry-ingest' });
  const channel = await broker.openChannel();
  await channel.deleteQueue(queue.name);
  await run(channel);
  await channel.deleteQueue(queue.name);
  await declareQueue(channel, queue);
  await broker.close();
}

/** Builds a frame with a method of AMQP's class `connection`, and one short text as its argument. */
function connectionMethod(method: number, text?: string): Buffer {
  const argument = text === undefined ? [] : [text.length, ...Buffer.from(text)];
  const payload = [0, 10, 0, method, ...argument];
  return Buffer.from([1, 0, 0, 0, 0, 0, payload.length, ...payload, 0xce]);
}
