import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { startFront, type Front } from '../test-support/front.ts';
import { PROJECT } from '../test-support/keys.ts';
import { openRaw } from '../test-support/raw-http.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const LIMITS = { json: 10_000, otlp: 50_000, batch: 50_000, stream: 200_000 };
const JSON_PATH = `/v1/projects/${PROJECT}/diagnostics/findings`;
const STREAM_PATH = `/v1/projects/${PROJECT}/conversations/import`;

let upstream: Upstream;
let front: Front;
/** Outcome of each call at the service: the bytes of its body, and whether it broke off. */
let calls: { bytes: number; aborted: boolean }[];

beforeAll(async () => {
  calls = [];
  upstream = await startUpstream((request, response) => {
    const call = { bytes: 0, aborted: false };
    calls.push(call);
    request.on('data', (chunk: Buffer) => (call.bytes += chunk.length));
    request.on('error', () => (call.aborted = true));
    request.on('end', () => response.end(String(call.bytes)));
  });
  front = await startFront({ upstreamUrl: upstream.url, maxBodyBytes: LIMITS, bodyTimeoutMs: 600, leftoverMs: 3_000 });
});
afterAll(async () => {
  await front.stop();
  await upstream.close();
});

interface Answer {
  status: number | undefined;
  body: string;
}

/** Sends a body of the given size, with a declared length or in chunks, on a connection that is kept or not. */
async function post(
  path: string,
  bytes: number,
  sending: { chunked?: boolean; close?: boolean } = {},
): Promise<Answer> {
  const request = sendRequest(`${front.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: front.key.authorization,
      'content-type': 'application/json',
      connection: sending.close === true ? 'close' : 'keep-alive',
      ...(sending.chunked === true ? {} : { 'content-length': String(bytes) }),
    },
  });
  const piece = Buffer.alloc(8_192, 'a');
  for (let sent = 0; sent < bytes; sent += piece.length) request.write(piece.subarray(0, bytes - sent));
  request.end();
  // An answer may arrive while the body is still being sent; errors of the body after that do not matter here.
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body };
}

const CLASSES = [
  ['ordinary JSON', JSON_PATH, LIMITS.json],
  ['OTLP', '/v1/traces', LIMITS.otlp],
  ['imports', STREAM_PATH, LIMITS.stream],
] as const;
const SENDINGS = [{}, { chunked: true }, { close: true }, { chunked: true, close: true }];

describe.each(CLASSES)('the limit of %s', (_name, path, limit) => {
  it.each(SENDINGS)('lets a body of the very size through (%j)', async (sending) => {
    expect(await post(path, limit, sending)).toEqual({ status: 200, body: String(limit) });
  });

  it.each(SENDINGS)('answers 413, which the sender can read, to one byte more (%j)', async (sending) => {
    const { status, body } = await post(path, limit + 1, sending);
    expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each(SENDINGS)('answers it also in the middle of a body that is far larger (%j)', async (sending) => {
    expect((await post(path, 20 * 1024 * 1024, sending)).status).toBe(413);
  });
});

describe('a body that is too large', () => {
  it('does not reach the service when its size is declared', async () => {
    const before = calls.length;
    await post(JSON_PATH, LIMITS.json + 1);
    expect(calls.length).toBe(before);
  });

  it('breaks off for the service when it is not', async () => {
    await post(JSON_PATH, LIMITS.json * 10, { chunked: true });
    await eventually(() => expect(calls.at(-1)?.aborted).toBe(true));
  });

  it('is refused on the routes of the gateway itself', async () => {
    for (const sending of SENDINGS) expect((await post('/v1/projects', LIMITS.json + 1, sending)).status).toBe(413);
  });
});

describe('a body that comes too slowly', () => {
  /** Sends a byte every 50 ms until an answer arrives. */
  async function drip(path: string): Promise<{ status: number; connection: Awaited<ReturnType<typeof openRaw>> }> {
    const connection = await openRaw(front.port);
    connection.send(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    );
    const dripping = setInterval(() => connection.send('a'), 50);
    try {
      return { status: (await connection.answer()).status, connection };
    } finally {
      clearInterval(dripping);
    }
  }

  it.each([JSON_PATH, '/v1/traces', '/v1/projects'])('is answered 408 (%s)', async (path) => {
    const { status, connection } = await drip(path);
    expect(status).toBe(408);
    connection.destroy();
  });

  it('breaks off for the service', async () => {
    const { connection } = await drip(JSON_PATH);
    await eventually(() => expect(calls.at(-1)?.aborted).toBe(true));
    connection.destroy();
  });

  it('may take longer on imports, which are long', async () => {
    const connection = await openRaw(front.port);
    connection.send(
      `POST ${STREAM_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\nContent-Length: 2\r\n\r\na`,
    );
    // A request that began later, on a route for short bodies, has been given up by now.
    const other = await drip(JSON_PATH);
    expect(other.status).toBe(408);
    connection.send('b');
    expect(await connection.answer()).toMatchObject({ status: 200, body: expect.stringContaining('2') });
    connection.destroy();
    other.connection.destroy();
  });

  it('does not hold up callers that send theirs at once', async () => {
    const slow = Array.from({ length: 20 }, () => drip(JSON_PATH));
    expect(await post(JSON_PATH, 100)).toEqual({ status: 200, body: '100' });
    for (const { connection } of await Promise.all(slow)) connection.destroy();
  });
});

describe('a body that ends before it is whole', () => {
  it('is answered 400, and the connection ends with the answer', async () => {
    const connection = await openRaw(front.port);
    const before = calls.length;
    connection.send(
      `POST ${JSON_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\nContent-Length: 100\r\n\r\nhalf`,
    );
    await eventually(() => expect(calls.length).toBe(before + 1));
    connection.socket.end();
    const { status, headers } = await connection.answer();
    expect([status, headers['connection']]).toEqual([400, 'close']);
    await connection.closed();
    await eventually(() => expect(calls.at(-1)?.aborted).toBe(true));
  });
});

describe('"Expect: 100-continue"', () => {
  async function ask(path: string, length: number) {
    const connection = await openRaw(front.port);
    connection.send(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n` +
        `Content-Type: application/json\r\nExpect: 100-Continue\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return { connection, first: await connection.answer() };
  }

  it('is answered once the body is wanted, and the request then goes on', async () => {
    const { connection, first } = await ask(JSON_PATH, 5);
    expect(first.status).toBe(100);
    connection.send('hello');
    expect((await connection.answer()).status).toBe(200);
    expect(upstream.seen.at(-1)?.headers).not.toHaveProperty('expect');
    connection.destroy();
  });

  it('spares the caller a body that is refused', async () => {
    const { connection, first } = await ask(JSON_PATH, LIMITS.json + 1);
    expect(first.status).toBe(413);
    connection.destroy();
  });
});

describe('the rest of a refused body', () => {
  it('is read for a while only, then the connection ends, and it does not become the next request', async () => {
    const before = upstream.seen.length;
    const [endless, smuggler] = [await openRaw(front.port), await openRaw(front.port)];
    const smuggled = `GET ${JSON_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n\r\n`;
    const unauthorized = (length: number) =>
      `POST ${JSON_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
    endless.send(unauthorized(999_999_999));
    smuggler.send(`${unauthorized(smuggled.length + 100)}${smuggled}`);
    for (const connection of [endless, smuggler]) expect((await connection.answer()).status).toBe(401);
    for (const connection of [endless, smuggler]) await connection.closed();
    expect(smuggler.received()).toBe('');
    expect(upstream.seen.length).toBe(before);
  });
});
