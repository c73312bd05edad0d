import { once } from 'node:events';
import { request as sendRequest, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError, MAX_JSON_DEPTH } from '@clew/kernel';
import { keepOpenForBody } from './early-answer.ts';
import { parseJson, parseJsonText, readJsonBody } from './json-body.ts';

const MAX_BYTES = 1000;
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    // Same call as in the error middleware.
    keepOpenForBody(request);
    const read: unknown = await readJsonBody(request, MAX_BYTES).catch((error: AppError) => error);
    const failed = read instanceof AppError;
    response.statusCode = failed ? read.status : 200;
    response.end(JSON.stringify(failed ? { code: read.code } : { body: read, empty: read === undefined }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
});

interface Answer {
  status: number | undefined;
  body: { code?: string; body?: unknown; empty?: boolean };
}

/** Sends the chunks without a declared length, unless the headers contain one. */
async function send(headers: Record<string, string>, ...chunks: (string | Buffer)[]): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  const request = sendRequest({ port, method: 'POST', headers, agent: false });
  for (const chunk of chunks) request.write(chunk);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // The server may end while a refused body is still being sent.
  request.on('error', () => undefined);
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, body: JSON.parse(text) as Answer['body'] };
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('readJsonBody', () => {
  it('reads a body in one piece or in many', async () => {
    expect(await send(JSON_TYPE, '{"a":', '[1,', '2]}')).toEqual({
      status: 200,
      body: { body: { a: [1, 2] }, empty: false },
    });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;x=y'])(
    'takes the media type %s',
    async (type) => {
      expect(await send({ 'content-type': type }, '1')).toMatchObject({ status: 200 });
    },
  );

  it.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', ''])(
    'refuses the media type %j with 415',
    async (type) => {
      expect(await send({ 'content-type': type }, '1')).toEqual({
        status: 415,
        body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
      });
    },
  );

  it('takes no body for an absent one, whatever its media type', async () => {
    expect(await send({ 'content-length': '0' })).toMatchObject({ status: 200, body: { empty: true } });
  });

  it('reads gzip', async () => {
    const answer = await send({ ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync('{"a":1}'));
    expect(answer.body.body).toEqual({ a: 1 });
  });

  it.each(['br', 'deflate', 'gzip, gzip'])('refuses the encoding %s with 415', async (encoding) => {
    const answer = await send({ ...JSON_TYPE, 'content-encoding': encoding }, '{}');
    expect(answer).toEqual({ status: 415, body: { code: 'UNSUPPORTED_ENCODING' } });
  });

  it.each([
    ['text that is not gzip', Buffer.from('{}')],
    ['a gzip that breaks off', gzipSync('{"a":"aaaaaaaaaaaaaaaaaaaaaa"}').subarray(0, -9)],
  ])('answers 400 to %s', async (_name, bytes) => {
    const answer = await send({ ...JSON_TYPE, 'content-encoding': 'gzip' }, bytes);
    expect(answer).toEqual({ status: 400, body: { code: 'MALFORMED_BODY' } });
  });

  it('takes a body of the very size allowed', async () => {
    const text = JSON.stringify('a'.repeat(MAX_BYTES - 2));
    expect(await send({ ...JSON_TYPE, 'content-length': String(text.length) }, text)).toMatchObject({ status: 200 });
    expect(await send(JSON_TYPE, text)).toMatchObject({ status: 200 });
  });

  it('answers 413 to a declared size beyond it, before the body comes', async () => {
    const answer = await send({ ...JSON_TYPE, 'content-length': String(MAX_BYTES + 1) }, 'a'.repeat(MAX_BYTES + 1));
    expect(answer).toEqual({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('answers 413 to a body that turns out larger, readable also while the sender goes on', async () => {
    const chunks = Array.from({ length: 200 }, () => Buffer.alloc(64 * 1024, 'a'));
    expect(await send(JSON_TYPE, ...chunks)).toEqual({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('answers 413 to a small gzip that is large inside', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '), { level: 9 });
    const answer = await send({ ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(MAX_BYTES + 1, ' ')));
    expect(answer).toEqual({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(bomb.length).toBeGreaterThan(MAX_BYTES);
    expect(await send({ ...JSON_TYPE, 'content-encoding': 'gzip' }, bomb)).toMatchObject({ status: 413 });
  });

  it('leaves the connection usable for the next request after a refused body', async () => {
    const { port } = server.address() as AddressInfo;
    const refused = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: 'a'.repeat(MAX_BYTES + 1),
    });
    expect(refused.status).toBe(413);
    const next = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: JSON_TYPE, body: '1' });
    expect(next.status).toBe(200);
  });
});

/** Measures the depth of a value by walking it. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function malformed(bytes: Uint8Array | string, maxDepth?: number): boolean {
  try {
    parseJson(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, maxDepth);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'MALFORMED_BODY') return true;
    throw error;
  }
}

/** Builds a body whose object has this many members with distinct names. */
function membersOf(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;
}

describe.each([
  ['parseJson', (text: string) => parseJson(Buffer.from(text))],
  ['parseJsonText', (text: string) => parseJsonText(text)],
])('%s', (_name, parse) => {
  it.each([
    ['members', membersOf(2_000_000), 'holds more than 200000 members of objects'],
    ['values', `[${'[],'.repeat(3_000_000)}1]`, 'holds more than 4000000 values'],
  ])('refuses more %s than can be parsed without holding up others, before it parses them', (_what, text, message) => {
    const before = process.threadCpuUsage();
    expect(() => parse(text)).toThrow(message);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
  });

  it('takes as many as there may be', () => {
    expect(Object.keys(parse(membersOf(200_000)) as object)).toHaveLength(200_000);
  });
});

describe('parseJson', () => {
  it('parses every JSON value that is shallow enough, and only those', () => {
    // All numbers are between -1 and 1, where none is rejected.
    const withSmallNumbers = (value: unknown) =>
      JSON.stringify(value, (_name, part: unknown) => (typeof part === 'number' ? Math.sin(part) : part));
    const texts = fc.jsonValue({ maxDepth: 8 }).map(withSmallNumbers);
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 8 }), (text, maxDepth) => {
        const value: unknown = JSON.parse(text);
        expect(malformed(text, maxDepth)).toBe(depthOf(value) > maxDepth);
        if (depthOf(value) <= maxDepth) expect(parseJson(new TextEncoder().encode(text), maxDepth)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('is not misled by brackets, quotes and backslashes within strings', () => {
    const tricky = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a') });
    fc.assert(
      fc.property(fc.array(fc.tuple(tricky, fc.boolean())), (items) => {
        const value = items.map(([text, nested]) => (nested ? { [text]: [text] } : text));
        expect(malformed(JSON.stringify(value), depthOf(value))).toBe(false);
        if (value.length > 0) expect(malformed(JSON.stringify(value), depthOf(value) - 1)).toBe(true);
      }),
    );
  });

  it('answers 400, never more, to any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let valid = true;
        try {
          JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
        } catch {
          valid = false;
        }
        expect(malformed(bytes)).toBe(!valid);
      }),
    );
  });

  it.each([
    ['a cut UTF-8 sequence', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a UTF-8 surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00]],
  ])('refuses %s', (_name, bytes) => {
    expect(malformed(Uint8Array.from(bytes))).toBe(true);
  });

  it('refuses a million open brackets at once', () => {
    expect(malformed('['.repeat(1_000_000))).toBe(true);
    expect(malformed('{"a":'.repeat(1_000_000))).toBe(true);
  });

  it('counts strings full of escaped quotes in linear time', () => {
    const text = JSON.stringify('\\'.repeat(500_000) + '"'.repeat(500_000));
    const before = process.cpuUsage();
    expect(malformed(text)).toBe(false);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it(`allows ${MAX_JSON_DEPTH} levels unless told otherwise`, () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(malformed(nested(MAX_JSON_DEPTH))).toBe(false);
    expect(malformed(nested(MAX_JSON_DEPTH + 1))).toBe(true);
  });
});
