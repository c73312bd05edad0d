import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventually } from '@clew/testing';
import { startFront, type Front } from '../test-support/front.ts';
import { PROJECT } from '../test-support/keys.ts';
import { openRaw } from '../test-support/raw-http.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const FINAL_ANSWER = /^HTTP\/1\.1 [2-5]\d\d /m;
/** Number of requests in progress at a time: an incomplete one is answered only after its time limit. */
const AT_ONCE = 20;

let upstream: Upstream;
let front: Front;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    request.on('error', () => undefined);
    request.on('end', () => response.end('{"ok":true}'));
    request.resume();
  });
  front = await startFront({
    upstreamUrl: upstream.url,
    bodyTimeoutMs: 300,
    headersTimeoutMs: 300,
    upstreamTimeoutMs: 1_000,
  });
});
afterAll(async () => {
  await front.stop();
  await upstream.close();
});

/** Sends bytes, hangs up when they are answered, and returns all that came back until the gateway hung up too. */
async function exchange(bytes: Uint8Array): Promise<string> {
  const connection = await openRaw(front.port);
  connection.send(bytes);
  await connection.receivedOrClosed(FINAL_ANSWER);
  connection.socket.end();
  await connection.closed();
  return connection.received();
}

/** Exchanges many byte strings at a time. */
function exchangeAll(all: readonly Uint8Array[]): Promise<string[]> {
  return Promise.all(all.map(exchange));
}

/** Status codes of all status lines in the answers to one or several requests. */
function statusesIn(received: string): number[] {
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** Mixes mostly valid values with rare invalid ones, so that the invalid ones get past the first checks. */
function mostly<T>(usual: T | fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const arbitrary = usual instanceof fc.Arbitrary ? usual : fc.constant(usual);
  return fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: rare });
}

const anyByte = fc.string({ unit: 'binary-ascii', maxLength: 40 });
const wildText = fc.oneof(
  anyByte,
  fc.string({ unit: fc.constantFrom(...'/%.\\;?#&=:@[]{}|^~`\'"<> \t\r\n\0aA0'), maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const method = mostly(
  fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT'),
  anyByte,
);
const segment = fc.oneof(
  fc.constantFrom(
    'v1',
    'projects',
    PROJECT,
    'traces',
    'conversations',
    'import',
    'diagnostics',
    'api-keys',
    'docs',
    '..',
    '%2e%2e',
  ),
  wildText,
);
const proxied = fc.constantFrom(
  `/v1/projects/${PROJECT}/traces`,
  `/v1/projects/${PROJECT}/conversations/import`,
  '/v1/traces',
);
const target = fc.oneof(
  { weight: 6, arbitrary: proxied },
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`),
  fc.constantFrom('*', '/healthz', '/metrics', '/docs/', '/v1/projects'),
  fc.webUrl(),
  wildText,
);
const query = mostly(
  '',
  wildText.map((text) => `?${text}`),
);
const headerName = mostly(
  fc.constantFrom(
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Expect',
    'Host',
    'Upgrade',
    'Content-Encoding',
    'Content-Type',
    'X-Clew-Identity',
    'X-Clew-Project',
    'X-Request-Id',
    'Authorization',
    'TE',
    'Trailer',
    'Range',
    'If-Match',
  ),
  anyByte,
);
const headerValue = mostly(
  fc.constantFrom(
    'chunked',
    'close',
    'keep-alive',
    '100-continue',
    'gzip',
    'application/json',
    '0',
    '5',
    '99999999999',
    'bytes=0-1',
  ),
  wildText,
);
const sensibleHeader = fc.constantFrom<[string, string]>(
  ['Connection', 'close'],
  ['Connection', 'x-clew-identity'],
  ['Expect', '100-continue'],
  ['Content-Type', 'application/json'],
  ['X-Clew-Identity', 'forged'],
  ['X_Clew_Identity', 'forged'],
  ['X-Service-Request-Id', 'forged'],
);
const headers = fc.array(mostly(sensibleHeader, fc.tuple(headerName, headerValue)), { maxLength: 3 });
const body = fc.oneof(fc.constantFrom('', '{}', '0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', '[[[['), wildText, fc.json());

const request = fc.record({
  method,
  target,
  query,
  headers,
  body,
  authorized: mostly(true, fc.constant(false)),
  /** False sends no length: the bytes after the head are then taken for the next request. */
  measured: mostly(true, fc.constant(false)),
  version: fc.constantFrom('1.1', '1.0'),
});

type RequestLike = typeof request extends fc.Arbitrary<infer Request> ? Request : never;

function bytesOf({ method: verb, target: path, query: search, version, ...rest }: RequestLike): Uint8Array {
  const lines = [
    `${verb} ${path}${search} HTTP/${version}`,
    'Host: gateway',
    ...(rest.authorized ? [`Authorization: ${front.key.authorization}`] : []),
    ...(rest.measured ? [`Content-Length: ${Buffer.byteLength(rest.body)}`] : []),
    ...rest.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${rest.body}`);
}

// An uncaught error, which would end the process, fails the test that is running.
describe('whatever comes', () => {
  it('is never answered 500, and never ends the process', async () => {
    const requests = fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        for (const received of await exchangeAll(all.map(bytesOf))) {
          for (const status of statusesIn(received)) expect(status).not.toBe(500);
        }
      }),
      // No shrinking: a connection that hangs takes its full time limit in every attempt.
      { numRuns: 20, endOnFailure: true },
    );
    expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
  }, 120_000);

  it('is never answered 500 either when it is no HTTP at all', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (all) => {
        for (const received of await exchangeAll(all)) {
          for (const status of statusesIn(received)) expect(status).toBeLessThan(500);
        }
      }),
      { numRuns: 5 },
    );
    expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
  });

  it('does not become a request that the service sees without an identity', () => {
    expect(upstream.seen.length).toBeGreaterThan(10);
    for (const request of upstream.seen) {
      const { headers: seen, rawHeaders } = request;
      const identities = rawHeaders.filter((name, index) => index % 2 === 0 && /^x.clew.identity$/i.test(name));
      expect(identities).toEqual(['x-clew-identity']);
      expect(front.callerOf(request)?.principal).toMatchObject({ id: front.key.key.id });
      expect(seen['x-service-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
    }
  });

  it('leaves no call of the service open', async () => {
    const open = async () => /^clew_gateway_requests_in_flight\{.*\} (\d+)$/m.exec(await front.metrics.metrics())?.[1];
    await eventually(async () => expect(await open()).toBe('0'));
  });
});
