import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request as sendRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { startFront, type Front, type FrontOptions } from '../test-support/front.ts';
import { PROJECT } from '../test-support/keys.ts';
import { openRaw, sendRaw } from '../test-support/raw-http.ts';
import {
  closedPort,
  startTcpUpstream,
  startUpstream,
  type SeenRequest,
  type Upstream,
} from '../test-support/upstream.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(
  listener?: RequestListener,
  options: FrontOptions = {},
): Promise<{ front: Front; upstream: Upstream }> {
  const upstream = await startUpstream(listener);
  const front = await startFront({ upstreamUrl: upstream.url, ...options });
  closing.push(upstream.close, front.stop);
  return { front, upstream };
}

async function startBefore(upstreamUrl: string, options: FrontOptions = {}): Promise<Front> {
  const front = await startFront({ upstreamUrl, ...options });
  closing.push(front.stop);
  return front;
}

const PATH = `/v1/projects/${PROJECT}/traces`;
const IMPORT_PATH = `/v1/projects/${PROJECT}/conversations/import`;

function call(front: Front, path = PATH, init: RequestInit = {}): Promise<Response> {
  return fetch(`${front.url}${path}`, {
    ...init,
    headers: { authorization: front.key.authorization, ...(init.headers as Record<string, string>) },
  });
}

async function errorOf(response: Response): Promise<{ status: number; code: unknown }> {
  const body = (await response.json()) as Record<string, unknown>;
  expect(body['requestId']).toBe(response.headers.get('x-service-request-id'));
  return { status: response.status, code: body['code'] };
}

describe('a proxied request', () => {
  it('may have a query as long as the longest that a route takes', async () => {
    const { front, upstream } = await start();
    const query = `?mapping=${'%F0%9F%98%80'.repeat(4_000)}&externalRef=${'%F0%9F%98%80'.repeat(1_000)}`;
    expect((await call(front, `${PATH}${query}`)).status).toBe(200);
    expect(upstream.seen[0]?.url).toHaveLength(PATH.length + query.length);
  });

  it('reaches the service with its path, query and body, and its answer comes back', async () => {
    const { front, upstream } = await start((request, response) => {
      response.writeHead(418, { 'content-type': 'text/x-own', 'x-from-service': 'yes', 'set-cookie': ['a=1', 'b=2'] });
      request.pipe(response);
    });
    const response = await call(front, `${PATH}?a=1&a=2&b=%20`, { method: 'POST', body: 'hello' });
    expect(upstream.seen[0]).toMatchObject({ method: 'POST', url: `${PATH}?a=1&a=2&b=%20` });
    expect([response.status, response.statusText, await response.text()]).toEqual([418, "I'm a Teapot", 'hello']);
    expect(response.headers.get('x-from-service')).toBe('yes');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('carries the id that its answer and its log line carry, never one that the caller or the service made up', async () => {
    const { front, upstream } = await start((_request, response) => {
      response.setHeader('x-service-request-id', 'req_from_service');
      response.end();
    });
    const response = await call(front, PATH, {
      headers: { 'x-service-request-id': 'req_from_caller', 'x-request-id': 'correlation-1' },
    });
    const id = response.headers.get('x-service-request-id');
    expect(id).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(upstream.seen[0]?.headers['x-service-request-id']).toBe(id);
    await eventually(() =>
      expect(front.log).toContainEqual(
        expect.objectContaining({ requestId: id, correlationId: 'correlation-1', status: 200 }),
      ),
    );
  });

  it('says who the caller is, for the project, in a token that only the gateway can make', async () => {
    const { front, upstream } = await start();
    await call(front);
    const { id, scopes } = front.key.key;
    expect(front.callerOf(upstream.seen[0] as SeenRequest)).toEqual({
      principal: { kind: 'key', id, scopes },
      projectId: PROJECT,
    });
  });

  it('never brings the service what only the gateway may say, the credential, or what is about the connection', async () => {
    const { front, upstream } = await start();
    const forged = [
      'X-Clew-Identity: forged',
      'X-Clew-Traceparent: 00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01',
      'x_clew_identity: forged',
      'X_Forwarded_For: 6.6.6.6',
      'X-Forwarded-For: 6.6.6.6',
      'X-Forwarded-Host: evil',
      'X-Forwarded-Proto: https',
      'Forwarded: for=6.6.6.6',
      'X-Real-Ip: 6.6.6.6',
      `X-Clew-Project: ${PROJECT}`,
      'Proxy-Authorization: Basic eA==',
      'Proxy-Connection: keep-alive',
      'Cookie: session=1',
      'TE: trailers',
      'Trailer: X-After',
      'Keep-Alive: timeout=5',
      'X-Mine-Alone: secret',
      'X-Kept: yes',
      'Connection: close, X-Mine-Alone, Content-Length',
    ];
    const lines = ['Host: gateway', `Authorization: ${front.key.authorization}`, ...forged];
    await sendRaw(front.port, `GET ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const headers = upstream.seen[0]?.headers ?? {};
    expect(Object.keys(headers).sort()).toEqual(
      ['connection', 'host', 'x-clew-identity', 'x-forwarded-for', 'x-kept', 'x-service-request-id'].sort(),
    );
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(front.callerOf(upstream.seen[0] as SeenRequest)).toBeDefined();
  });

  it('keeps the length of a body that the caller names in "Connection"', async () => {
    const { front } = await start((request, response) => request.pipe(response));
    const answer = await sendRaw(
      front.port,
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n` +
        'Connection: Content-Length, Host\r\nContent-Length: 5\r\n\r\nhello',
    );
    expect(answer.body).toContain('hello');
  });

  it('gets no header of the connection to the service', async () => {
    const { front } = await start((_request, response) => {
      response.writeHead(200, {
        connection: 'close, x-hop',
        'x-hop': 'mine',
        'keep-alive': 'timeout=99',
        'proxy-connection': 'x',
        te: 'x',
        upgrade: 'h2c',
        'x-kept': 'yes',
      });
      response.end('ok');
    });
    const response = await call(front);
    const names = [...response.headers.keys()];
    for (const name of ['x-hop', 'proxy-connection', 'te', 'upgrade']) expect(names).not.toContain(name);
    expect(response.headers.get('connection')).toBe('keep-alive');
    expect(response.headers.get('keep-alive')).toBeNull();
    expect(names).toContain('x-kept');
  });

  it('shares connections to the service with the requests before it', async () => {
    const { front, upstream } = await start();
    for (let count = 0; count < 20; count += 1) await (await call(front)).text();
    expect(upstream.connections()).toBe(1);
  });
});

/** Sends `megabytes` MiB to a service that sends them back, and measures how much the process grew meanwhile. */
async function passThrough(front: Front, megabytes: number): Promise<{ grownBytes: number; isWhole: boolean }> {
  const chunk = Buffer.alloc(1024 * 1024, 'clew');
  const [sent, received] = [createHash('sha256'), createHash('sha256')];
  const before = process.memoryUsage().rss;
  let most = before;
  const request = sendRequest(`${front.url}${IMPORT_PATH}`, {
    method: 'POST',
    headers: { authorization: front.key.authorization, 'content-length': String(megabytes * chunk.length) },
  });
  const upload = (async () => {
    for (let count = 0; count < megabytes; count += 1) {
      sent.update(chunk);
      if (!request.write(chunk)) await once(request, 'drain');
    }
    request.end();
  })();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  for await (const part of response as AsyncIterable<Buffer>) {
    received.update(part);
    most = Math.max(most, process.memoryUsage().rss);
  }
  await upload;
  return { grownBytes: most - before, isWhole: received.digest('hex') === sent.digest('hex') };
}

describe('streaming', () => {
  it('passes on each event as it comes, and the head before the first one', async () => {
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: oneCame, resolve: tellOne } = Promise.withResolvers<void>();
    const { front } = await start(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      await mayGoOn;
      response.write('data: one\n\n');
      await oneCame;
      response.write('data: two\n\n');
      // The stream has no end of its own.
    });
    const response = await call(front);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    goOn();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('one')) tellOne();
      if (text.includes('two')) break;
    }
    expect(text).toBe('data: one\n\ndata: two\n\n');
  });

  it('ends events without an end once the gateway stops, and lets those of a model come to theirs', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { front } = await start(async (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
      await mayEnd;
      if (request.url?.includes('chat') === true) response.end('data: [DONE]\n\n');
    });
    const [state, chat] = [await call(front), await call(front, '/v1/chat/completions', { method: 'POST' })];
    front.endEvents();
    expect(await state.text()).toBe('data: one\n\n');
    end();
    expect(await chat.text()).toBe('data: one\n\ndata: [DONE]\n\n');
  });

  it('passes 160 MB through in both directions with bounded memory', async () => {
    const { front } = await start((request, response) => request.pipe(response), {
      maxBodyBytes: { stream: 1024 ** 3 },
      upstreamTimeoutMs: 60_000,
    });
    // Warm-up: until the garbage collector has found its pace, the process grows in any case.
    await passThrough(front, 50);
    const { grownBytes, isWhole } = await passThrough(front, 160);
    expect(isWhole).toBe(true);
    // Growth of the whole test process, which holds caller, gateway and service.
    expect(grownBytes).toBeLessThan(120 * 1024 * 1024);
  }, 120_000);

  it('passes on what the service says after its answer, and only what is ours', async () => {
    const { front } = await start((request, response) => {
      request.resume();
      response.setHeader('trailer', 'x-clew-count, connection, x-other, x-clew-left-out');
      if (request.method !== 'HEAD') response.write('body');
      response.addTrailers({ 'x-clew-count': '7', 'x-other': '8', 'x-clew-left-out': '9' });
      response.end();
    });
    const { authorization } = front.key;
    const request = sendRequest(`${front.url}${PATH}`, { headers: { authorization } }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of response as AsyncIterable<Buffer>) text += part.toString();
    expect(text).toBe('body');
    expect(response.headers.trailer).toBe('x-clew-count, x-clew-left-out');
    expect(response.trailers).toEqual({ 'x-clew-count': '7', 'x-clew-left-out': '9' });
    const old = await sendRaw(front.port, `GET ${PATH} HTTP/1.0\r\nauthorization: ${authorization}\r\n\r\n`);
    expect(old).toMatchObject({ status: 200, body: 'body' });
  });

  it('passes on chunks without a length', async () => {
    let received = '';
    const { front, upstream } = await start((request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.toString()));
      request.pipe(response);
    });
    const body = new ReadableStream({
      async start(controller) {
        for (const part of ['a', 'b', 'c']) {
          controller.enqueue(Buffer.from(part));
          // Each part reaches the service before the next one is sent.
          await eventually(() => expect(received.endsWith(part)).toBe(true));
        }
        controller.close();
      },
    });
    const response = await call(front, PATH, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await response.text()).toBe('abc');
    expect(upstream.seen[0]?.headers['transfer-encoding']).toBe('chunked');
  });
});

describe('a caller that goes away', () => {
  it('cancels the call of the service before its answer', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const { front, upstream } = await start((request) => request.on('close', () => resolve()));
    const connection = await openRaw(front.port);
    connection.send(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n\r\n`);
    await eventually(() => expect(upstream.seen).toHaveLength(1));
    connection.destroy();
    await cancelled;
    await eventually(() => expect(front.log).toContainEqual(expect.objectContaining({ status: 499, cut: true })));
  });

  it('cancels it in the middle of its answer', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const { front } = await start((_request, response) => {
      response.write('more\n');
      response.on('close', () => resolve());
    });
    const connection = await openRaw(front.port);
    connection.send(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\n\r\n`);
    await eventually(() => expect(connection.received()).toContain('more'));
    connection.destroy();
    await cancelled;
  });

  it('cancels it in the middle of its own body', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const { promise: halfCame, resolve: tellHalf } = Promise.withResolvers<void>();
    const { front } = await start((request) => {
      request.on('error', () => undefined);
      request.on('close', () => resolve());
      request.on('data', () => tellHalf());
    });
    const connection = await openRaw(front.port);
    connection.send(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${front.key.authorization}\r\nContent-Length: 100\r\n\r\nhalf`,
    );
    await halfCame;
    connection.destroy();
    await cancelled;
  });
});

describe('a service', () => {
  it('that refuses the connection: 503 in the common body', async () => {
    const front = await startBefore(`http://127.0.0.1:${await closedPort()}`);
    const response = await call(front);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await errorOf(response)).toEqual({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('whose name does not resolve: 503', async () => {
    const front = await startBefore('http://does-not-exist.invalid:8080');
    expect(await errorOf(await call(front))).toEqual({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('that does not accept the connection in time: 503', async () => {
    // Address reserved for documentation: packets to it go nowhere, or are refused at once.
    const front = await startBefore('http://192.0.2.1:8080', { connectTimeoutMs: 200 });
    const startedAtMs = Date.now();
    expect(await errorOf(await call(front))).toEqual({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });
    expect(Date.now() - startedAtMs).toBeLessThan(5_000);
  });

  it('that says nothing: 504', async () => {
    const { front } = await start(() => undefined, { upstreamTimeoutMs: 200 });
    expect(await errorOf(await call(front))).toEqual({ status: 504, code: 'UPSTREAM_TIMEOUT' });
  });

  it('that is slow but goes on talking is waited for', async () => {
    const upstreamTimeoutMs = 1_000;
    const { front } = await start(
      async (_request, response) => {
        // The answer lasts longer in total than the time limit, but the pauses in it are much shorter.
        const untilMs = performance.now() + 1.5 * upstreamTimeoutMs;
        for (; performance.now() < untilMs; await sleep(20)) response.write('.');
        response.end('done');
      },
      { upstreamTimeoutMs },
    );
    expect(await (await call(front)).text()).toMatch(/^\.+done$/);
  });

  it.each([
    ['dies', (response: Parameters<RequestListener>[1]) => response.socket?.destroy()],
    ['falls silent', () => undefined],
  ])(
    'that %s in the middle of its answer: the connection is cut, so that a half answer is not taken for a whole',
    async (_name, end) => {
      const { promise: halfCame, resolve: tellHalf } = Promise.withResolvers<void>();
      const { front } = await start(
        async (_request, response) => {
          response.writeHead(200, { 'content-length': '100' });
          response.write('half');
          await halfCame;
          end(response);
        },
        { upstreamTimeoutMs: 300 },
      );
      const reader = (await call(front)).body?.getReader();
      const half = await reader?.read();
      expect(Buffer.from(half?.value ?? []).toString()).toBe('half');
      tellHalf();
      await expect(reader?.read()).rejects.toThrow();
      await eventually(() => expect(front.log).toContainEqual(expect.objectContaining({ status: 200, cut: true })));
    },
  );

  it.each([
    ['nothing, by a cut', ''],
    ['what is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a status that is none', 'HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['a status below all', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    ],
    ['too many headers', `HTTP/1.1 200 OK\r\nX-Large: ${'a'.repeat(100_000)}\r\n\r\n`],
  ])('that answers %s: 503, and the gateway lives', async (_name, bytes) => {
    const upstream = await startTcpUpstream((socket) => socket.once('data', () => socket.end(bytes)));
    closing.push(upstream.close);
    const front = await startBefore(upstream.url);
    expect(await errorOf(await call(front))).toEqual({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });
    expect((await fetch(`${front.url}/healthz`)).status).toBe(200);
  });

  it('whose reason phrase is odd is answered with the standard one', async () => {
    const upstream = await startTcpUpstream((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 \xe9\x80\xff odd\r\nContent-Length: 2\r\n\r\nok', 'latin1')),
    );
    closing.push(upstream.close);
    const response = await call(await startBefore(upstream.url));
    expect([response.status, response.statusText, await response.text()]).toEqual([200, 'OK', 'ok']);
  });

  it('that answers before it has read the whole body is heard', async () => {
    const { front } = await start((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"code":"UNAUTHENTICATED"}');
    });
    const response = await call(front, PATH, { method: 'POST', body: Buffer.alloc(900_000) });
    expect([response.status, await response.json()]).toEqual([401, { code: 'UNAUTHENTICATED' }]);
  });
});

describe('a kept connection that the service closes just as it is used', () => {
  /**
   * Upstream that answers the first request of each connection, and closes the connection when a second one arrives.
   */
  async function startStale(): Promise<{ front: Front; requests: string[] }> {
    const requests: string[] = [];
    const upstream = await startTcpUpstream((socket) => {
      let count = 0;
      socket.on('data', (bytes) => {
        count += 1;
        const [method = ''] = bytes.toString().split(' ');
        requests.push(method);
        if (count === 1) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${method === 'HEAD' ? '' : 'ok'}`);
        else socket.destroy();
      });
    });
    closing.push(upstream.close);
    return { front: await startBefore(upstream.url), requests };
  }

  it.each(['GET', 'HEAD'])('is tried once more, on a new one, by %s', async (method) => {
    const { front, requests } = await startStale();
    await (await call(front)).text();
    const response = await call(front, PATH, { method });
    expect(response.status).toBe(200);
    expect(requests).toEqual(['GET', method, method]);
  });

  it.each(['POST', 'DELETE', 'PUT', 'PATCH'])('is not tried again by %s, which may have happened', async (method) => {
    const { front, requests } = await startStale();
    await (await call(front)).text();
    const response = await call(front, PATH, { method });
    expect(await errorOf(response)).toEqual({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });
    expect(requests).toEqual(['GET', method]);
  });

  it('is not tried again where the connection was new', async () => {
    let count = 0;
    const upstream = await startTcpUpstream((socket) =>
      socket.once('data', () => {
        count += 1;
        socket.destroy();
      }),
    );
    closing.push(upstream.close);
    expect((await call(await startBefore(upstream.url))).status).toBe(503);
    expect(count).toBe(1);
  });
});

describe('the circuit breaker', () => {
  it('opens after failures in a row, answers at once, and closes when a probe succeeds', async () => {
    const port = await closedPort();
    const front = await startBefore(`http://127.0.0.1:${port}`, { breaker: { failures: 3, openMs: 500 } });
    for (let count = 0; count < 3; count += 1) expect((await call(front)).status).toBe(503);
    const upstream = await startUpstream(undefined, port);
    closing.push(upstream.close);
    const refused = await call(front);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(upstream.seen).toEqual([]);
    expect(await front.metrics.metrics()).toMatch(/upstream_circuit_open\{.*telemetry-warehouse.*\} 1/);
    await eventually(async () => expect((await call(front)).status).toBe(200));
    expect((await call(front)).status).toBe(200);
  });

  it('is not opened by callers: neither by those that go away nor by answers of 500', async () => {
    const { front, upstream } = await start(
      (request, response) => {
        // Requests of callers that are to go away get no answer.
        if (request.url?.endsWith('?wait') === false) response.writeHead(500).end('{}');
      },
      { breaker: { failures: 2, openMs: 60_000 } },
    );
    for (let count = 1; count <= 4; count += 1) {
      expect((await call(front)).status).toBe(500);
      const leaving = new AbortController();
      const left = call(front, `${PATH}?wait`, { signal: leaving.signal }).catch(() => 'left');
      await eventually(() => expect(upstream.seen).toHaveLength(2 * count));
      leaving.abort();
      expect(await left).toBe('left');
    }
    expect((await call(front)).status).toBe(500);
  });
});

describe('stopping', () => {
  it('finishes what is in flight through the service', async () => {
    const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>();
    const { front, upstream } = await start(async (_request, response) => {
      response.write('first, ');
      await mayFinish;
      response.end('last');
    });
    const agent = new Agent({ keepAlive: true });
    const request = sendRequest(`${front.url}${PATH}`, { agent, headers: { authorization: front.key.authorization } });
    const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
    const stopping = front.stop();
    await eventually(() => expect(fetch(`${front.url}/healthz`)).rejects.toThrow());
    finish();
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(text).toBe('first, last');
    await stopping;
    agent.destroy();
    expect(upstream.seen).toHaveLength(1);
  });
});
