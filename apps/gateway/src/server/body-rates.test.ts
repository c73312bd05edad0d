import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { startFront, type Front } from '../test-support/front.ts';
import { PROJECT } from '../test-support/keys.ts';
import { openRaw, type RawConnection } from '../test-support/raw-http.ts';
import { startUpstream } from '../test-support/upstream.ts';

const WINDOW_MS = 1_000;
const MIN_BYTES = 1_000;
const IMPORT = `/v1/projects/${PROJECT}/conversations/import`;
const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Reads the whole body and answers with its length. */
const takeAll: Listener = (request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('error', () => undefined);
  request.on('end', () => response.end(String(bytes)));
};

async function start(listener: Listener = takeAll): Promise<Front> {
  const upstream = await startUpstream(listener);
  const front = await startFront({
    ...{ upstreamUrl: upstream.url, maxBodyBytes: { stream: 1_000_000_000, audio: 1_000_000_000 } },
    bodyRate: { minBytes: MIN_BYTES, windowMs: WINDOW_MS },
  });
  closing.push(upstream.close, front.stop);
  return front;
}

async function begin(front: Front, path: string, bytes: number): Promise<RawConnection> {
  const connection = await openRaw(front.port);
  closing.push(() => connection.destroy());
  connection.send(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  return connection;
}

/** Sends `bytes` bytes every `everyMs`; the returned function stops that and returns the number of bytes sent. */
function drip(connection: RawConnection, bytes: number, everyMs: number): () => number {
  let sentBytes = 0;
  const timer = setInterval(() => {
    connection.send('a'.repeat(bytes));
    sentBytes += bytes;
  }, everyMs);
  const stop = () => {
    clearInterval(timer);
    return sentBytes;
  };
  closing.push(stop);
  return stop;
}

describe('a stream or a recording', () => {
  it.each([IMPORT, TRANSCRIPTIONS])('of which nothing comes is answered 408 (%s)', async (path) => {
    const connection = await begin(await start(), path, 1_000_000);
    const { status, body } = await connection.answer();
    expect(status).toBe(408);
    const expected = { code: 'REQUEST_TIMEOUT', message: 'The body took too long to arrive' };
    const ofOpenAi = { error: { code: 'request_timeout', message: expected.message, type: 'invalid_request_error' } };
    expect(JSON.parse(body)).toMatchObject(path === TRANSCRIPTIONS ? ofOpenAi : expected);
  });

  it('that comes more slowly than the rate is answered 408, and breaks off for the service', async () => {
    let broken = false;
    const front = await start((request) => {
      request.resume();
      request.on('error', () => (broken = true));
    });
    const connection = await begin(front, IMPORT, 1_000_000);
    drip(connection, 10, 50);
    expect((await connection.answer()).status).toBe(408);
    await eventually(() => expect(broken).toBe(true));
  });

  it('that keeps the rate may take as long as it likes', async () => {
    const connection = await begin(await start(), IMPORT, 1_000_000);
    const stop = drip(connection, 200, 50);
    await sleep(3 * WINDOW_MS);
    const sentBytes = stop();
    expect(connection.received()).toBe('');
    connection.send('a'.repeat(1_000_000 - sentBytes));
    expect((await connection.answer()).status).toBe(200);
  });

  it('that the service does not take is not held against the caller', async () => {
    let take = (): void => undefined;
    const front = await start((request, response) => {
      take = () => takeAll(request, response);
    });
    const bytes = 50_000_000;
    const connection = await begin(front, IMPORT, bytes);
    connection.send('a'.repeat(bytes));
    await sleep(3 * WINDOW_MS);
    expect(connection.received()).toBe('');
    take();
    expect(await connection.answer()).toMatchObject({ status: 200, body: expect.stringContaining(String(bytes)) });
  });
});
