import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ERROR_STATUS } from '@clew/kernel';
import { startFront, type Front } from '../test-support/front.ts';
import { PROJECT } from '../test-support/keys.ts';
import { openRaw, sendRaw, type RawAnswer } from '../test-support/raw-http.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

let upstream: Upstream;
let front: Front;

beforeAll(async () => {
  upstream = await startUpstream();
  front = await startFront({ upstreamUrl: upstream.url, headersTimeoutMs: 500, bodyTimeoutMs: 500 });
});
afterAll(async () => {
  await front.stop();
  await upstream.close();
});

/** Builds the head of a request; its lines end with CRLF. */
function head(requestLine: string, ...lines: string[]): string {
  return `${[requestLine, ...lines].join('\r\n')}\r\n\r\n`;
}

function authorized(target: string, ...lines: string[]): string {
  return head(`GET ${target} HTTP/1.1`, 'Host: gateway', `Authorization: ${front.key.authorization}`, ...lines);
}

/** Asserts that the answer has the one error body, whose id is also in the header. */
function expectErrorBody(answer: RawAnswer, status: number, code: keyof typeof ERROR_STATUS): void {
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  expect({ status: answer.status, code: body['code'] }).toEqual({ status, code });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Object.keys(body).filter((name) => name !== 'details')).toEqual(['error', 'message', 'code', 'requestId']);
  expect(body['requestId']).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(answer.headers['x-service-request-id']).toBe(body['requestId']);
}

describe('a page that is asked for', () => {
  it('with a body that breaks, while the answer is made, ends nothing', async () => {
    const paths = ['/docs', '/docs/', '/docs/swagger-ui.css', '/docs/missing', '/openapi.json', '/healthz', '/readyz'];
    const answers = [...paths, '/v1/projects'].flatMap((path) =>
      Array.from({ length: 20 }, async () => {
        const connection = await openRaw(front.port);
        connection.send(`${authorized(path, 'Transfer-Encoding: chunked')}no chunk`);
        await connection.closed();
        return connection.received();
      }),
    );
    for (const received of await Promise.all(answers)) expect(received).toMatch(/^HTTP\/1\.1 (?:200|301|400|404) /);
    expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
  });

  it('without the slash at its end has a moved address', async () => {
    const answer = await sendRaw(front.port, head('GET /docs?page=1 HTTP/1.1', 'Host: gateway'));
    expect([answer.status, answer.headers['location']]).toEqual([301, '/docs/']);
  });
});

describe('bytes that are not HTTP', () => {
  it.each([
    ['a line of text', 'hello\r\n\r\n'],
    ['binary', '\0\x01\x02\xff\xfe\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nx-clew-identity : y\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n'],
    ['a bare line feed within a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\rX: c\r\n\r\n'],
    ['a null byte within a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1e3\r\n\r\n'],
    [
      'a length beside chunks (CL.TE)',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n\r\n',
    ],
    [
      'chunks beside a length (TE.CL)',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nX',
    ],
    [
      'an encoding of the transfer that is not chunks',
      'POST /v1/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n',
    ],
  ])('%s: 400 with the common body', async (_name, bytes) => {
    expectErrorBody(await sendRaw(front.port, bytes), 400, 'BAD_REQUEST');
  });

  it('too many bytes of headers: 431, readable while they still come', async () => {
    const answer = await sendRaw(front.port, head('GET / HTTP/1.1', 'Host: x', `X-Large: ${'a'.repeat(300_000)}`));
    expectErrorBody(answer, 431, 'HEADERS_TOO_LARGE');
  });

  it('headers that come too slowly: 408', async () => {
    const connection = await openRaw(front.port);
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => connection.send('X-Drip: a\r\n'), 100);
    expectErrorBody(await connection.answer(), 408, 'REQUEST_TIMEOUT');
    clearInterval(drip);
    connection.destroy();
  });

  it('a connection that says nothing: closed', async () => {
    const connection = await openRaw(front.port);
    await connection.closed();
  });

  it('a chunk that is none, in a request that is being handled: 400, and the service hears that it broke off', async () => {
    const before = upstream.seen.length;
    const connection = await openRaw(front.port);
    connection.send(
      head(
        `POST /v1/projects/${PROJECT}/diagnostics/findings HTTP/1.1`,
        'Host: x',
        `Authorization: ${front.key.authorization}`,
        'Transfer-Encoding: chunked',
      ),
    );
    connection.send('zz\r\nnot a chunk\r\n');
    expectErrorBody(await connection.answer(), 400, 'BAD_REQUEST');
    connection.destroy();
    expect(upstream.seen.length - before).toBeLessThanOrEqual(1);
  });

  it('a tunnel: 405', async () => {
    const answer = await sendRaw(front.port, head('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'));
    expectErrorBody(answer, 405, 'METHOD_NOT_ALLOWED');
  });

  it('leaves nothing behind: the next caller is served', async () => {
    expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
  });
});

describe('requests that are HTTP, and wrong', () => {
  it('without Host: 400', async () => {
    expectErrorBody(await sendRaw(front.port, head('GET /healthz HTTP/1.1')), 400, 'BAD_REQUEST');
  });

  it.each([
    ['two of "Host"', ['Host: gateway', 'Host: elsewhere'], 400],
    ['the same "Host" twice', ['Host: gateway', 'Host: gateway'], 400],
    ['a "Host" with a path', ['Host: gateway/../elsewhere'], 400],
    ['a "Host" with a user', ['Host: gateway@elsewhere'], 400],
    ['a "Host" of two words', ['Host: gateway elsewhere'], 400],
    ['two credentials', ['Host: gateway', 'Authorization: Bearer other'], 401],
  ])('%s are refused, so that no two hops take each its own', async (_name, lines, status) => {
    const before = upstream.seen.length;
    const asked = head(
      `GET /v1/projects/${PROJECT}/datasets HTTP/1.1`,
      `Authorization: ${front.key.authorization}`,
      ...lines,
    );
    expectErrorBody(await sendRaw(front.port, asked), status, status === 400 ? 'BAD_REQUEST' : 'UNAUTHENTICATED');
    expect(upstream.seen.length).toBe(before);
  });

  it.each(['gateway', 'gateway:8080', '10.0.0.1:80', '[::1]:8080', '', 'a_b.c-d~e.example'])(
    'the Host "%s" is one',
    async (host) => {
      expect((await sendRaw(front.port, head('GET /healthz HTTP/1.1', `Host: ${host}`))).status).toBe(200);
    },
  );

  it('HTTP/1.0 needs no Host', async () => {
    expect((await sendRaw(front.port, head('GET /healthz HTTP/1.0'))).status).toBe(200);
  });

  it.each([
    '//',
    '/v1//projects',
    '/v1/projects/',
    '/v1/../metrics',
    '/v1/./projects',
    '/v1/%2e%2e/metrics',
    '/v1/projects/%2E%2e/conversations',
    '/v1/projects/..%2f..%2fmetrics/conversations',
    '/v1/projects/a/conversations/..%2F..%2Fother',
    '/v1/projects/a/conversations/%2e%2e%2fother',
    '/v1/projects/a\\..\\b/conversations',
    '/v1/projects/a%5c..%5cb',
    '/v1/projects/%00',
    '/v1/projects/%0d%0aX-Injected:%20yes',
    '/v1/projects/%',
    '/v1/projects/%zz',
    '/v1/projects/%c3%28',
    '/docs/../metrics',
    '/v1/projects/ä',
  ])('the path %s: 400, and nothing reaches a service', async (path) => {
    const before = upstream.seen.length;
    expectErrorBody(await sendRaw(front.port, authorized(path)), 400, 'BAD_REQUEST');
    expect(upstream.seen.length).toBe(before);
  });

  it.each(['/', '/v2/projects', '/v1', '/healthz/../', '/favicon.ico', '/.env', '/docsx'])(
    'the path %s: 404 or 400, never more',
    async (path) => {
      const answer = await sendRaw(front.port, authorized(path));
      expect([400, 404]).toContain(answer.status);
      expectErrorBody(answer, answer.status, answer.status === 400 ? 'BAD_REQUEST' : 'NOT_FOUND');
    },
  );

  it('an unknown path asks for a key first, so that it tells nothing', async () => {
    expectErrorBody(await sendRaw(front.port, head('GET /v1/nothing HTTP/1.1', 'Host: x')), 401, 'UNAUTHENTICATED');
    expectErrorBody(await sendRaw(front.port, authorized('/v1/nothing')), 404, 'NOT_FOUND');
  });

  it.each(['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PURGE', 'PROPFIND'])(
    'the method %s on a path of the gateway: 405 with those that there are',
    async (method) => {
      const request = authorized('/v1/projects').replace('GET', method);
      const answer = await sendRaw(front.port, request);
      expectErrorBody(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers['allow']).toBe('POST, GET, HEAD');
    },
  );

  it('OPTIONS * is no path', async () => {
    expectErrorBody(await sendRaw(front.port, authorized('*').replace('GET', 'OPTIONS')), 404, 'NOT_FOUND');
  });

  it('the absolute form of a target leads where its path does, whatever host it names', async () => {
    const answer = await sendRaw(
      front.port,
      authorized(`http://169.254.169.254/v1/projects/${PROJECT}/traces?limit=1`),
    );
    expect(answer.status).toBe(200);
    expect(upstream.seen.at(-1)?.url).toBe(`/v1/projects/${PROJECT}/traces?limit=1`);
    expectErrorBody(await sendRaw(front.port, authorized('http://evil')), 404, 'NOT_FOUND');
    expectErrorBody(await sendRaw(front.port, authorized('ftp://evil/v1/projects')), 400, 'BAD_REQUEST');
  });

  it('an upgrade is not offered: the request is answered as if it had not asked', async () => {
    const answer = await sendRaw(
      front.port,
      authorized(`/v1/projects/${PROJECT}/traces`, 'Connection: Upgrade', 'Upgrade: websocket'),
    );
    expect(answer.status).toBe(200);
    expect(upstream.seen.at(-1)?.headers).not.toHaveProperty('upgrade');
  });

  it('a header value that cannot be passed on: 400, and the service stays trusted', async () => {
    const answer = await sendRaw(front.port, authorized(`/v1/projects/${PROJECT}/traces`, 'X-Odd: a\x7fb'));
    expect([200, 400]).toContain(answer.status);
    expect((await sendRaw(front.port, authorized(`/v1/projects/${PROJECT}/traces`))).status).toBe(200);
  });

  it('an expectation other than 100-continue is ignored', async () => {
    const answer = await sendRaw(front.port, authorized(`/v1/projects/${PROJECT}/traces`, 'Expect: tea'));
    expect(answer.status).toBe(200);
  });
});

describe('answers', () => {
  it('to HEAD have the headers of GET and no body, errors too', async () => {
    for (const [path, status] of [
      ['/healthz', 200],
      [`/v1/projects/${PROJECT}/traces`, 200],
      ['/v1/nothing', 404],
      ['/v1/projects/%zz', 400],
    ] as const) {
      const connection = await openRaw(front.port);
      connection.send(authorized(path, 'Connection: close').replace('GET', 'HEAD'));
      await connection.closed();
      const [answerHead = '', body] = connection.received().split('\r\n\r\n');
      expect([answerHead.split(' ')[1], body]).toEqual([String(status), '']);
      expect(answerHead).toMatch(/x-service-request-id: req_/i);
    }
  });

  it('to pipelined requests come in their order', async () => {
    const connection = await openRaw(front.port);
    connection.send(authorized('/healthz') + authorized('/v1/nothing') + authorized(`/v1/projects/${PROJECT}/traces`));
    const statuses = [await connection.answer(), await connection.answer(), await connection.answer()];
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 200]);
    connection.destroy();
  });

  it('say whether the connection stays, as the caller wished', async () => {
    const path = `/v1/projects/${PROJECT}/traces`;
    expect((await sendRaw(front.port, authorized(path))).headers['connection']).toBe('keep-alive');
    const connection = await openRaw(front.port);
    connection.send(authorized(path, 'Connection: close'));
    expect((await connection.answer()).headers['connection']).toBe('close');
    await connection.closed();
    const old = await openRaw(front.port);
    old.send(authorized(path).replace('HTTP/1.1', 'HTTP/1.0'));
    expect((await old.answer()).headers['connection']).toBe('close');
    await old.closed();
  });
});
