import { request as sendRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AppError, newId, type ErrorCode } from '@clew/kernel';
import { defineRoute } from '@clew/contracts';
import { createMetrics, silentLogger } from '@clew/runtime';
import { createApi, type ApiOptions } from './api.ts';
import { answer, route, type Route } from './implement.ts';
import { listen, MAX_HEADER_BYTES, type RunningServer } from './server.ts';
import { until } from './test-support/until.ts';

const ANYBODY = { kind: 'public' } as const;
const PROJECT = newId('prj');

const createThing = defineRoute({
  operationId: 'createThing',
  service: 'gateway',
  method: 'post',
  path: '/v1/projects/:projectId/things',
  tag: 'Things',
  summary: 'Make a thing',
  access: { kind: 'caller', scopes: ['models:manage'], permissions: ['project:data:write'] },
  params: z.object({ projectId: z.string().regex(/^prj_/) }),
  body: z.strictObject({ name: z.string().min(1), tags: z.array(z.strictObject({ key: z.string() })).default([]) }),
  responses: { 201: z.object({ name: z.string(), tags: z.number() }) },
});
const listThings = defineRoute({
  operationId: 'listThings',
  service: 'gateway',
  method: 'get',
  path: '/v1/things',
  tag: 'Things',
  summary: 'List',
  access: ANYBODY,
  query: z.strictObject({ limit: z.string().regex(/^\d+$/).transform(Number).optional(), q: z.string().optional() }),
  responses: { 200: z.object({ limit: z.number().nullable(), q: z.string().nullable() }) },
});
const listFindings = defineRoute({
  operationId: 'listFindings',
  service: 'gateway',
  method: 'get',
  path: '/v1/findings',
  tag: 'Things',
  summary: 'List',
  access: ANYBODY,
  query: z.strictObject({ status: z.enum(['open']).optional() }),
  responses: { 200: z.object({}) },
  invalidQueryCode: 'INVALID_FILTER',
});
const keepValue = defineRoute({
  operationId: 'keepValue',
  service: 'gateway',
  method: 'post',
  path: '/v1/values',
  tag: 'Things',
  summary: 'Keep any JSON',
  access: ANYBODY,
  body: z.unknown(),
  responses: { 201: z.unknown() },
});
const removeThing = defineRoute({
  operationId: 'removeThing',
  service: 'gateway',
  method: 'delete',
  path: '/v1/things/:thingId',
  tag: 'Things',
  summary: 'Remove',
  access: ANYBODY,
  params: z.object({ thingId: z.string().regex(/^thg_\d+$/) }),
  responses: { 204: null },
});

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

const routes: Route[] = [
  route(createThing, async ({ body }) => answer(201, { name: body.name, tags: body.tags.length }, { location: '/x' })),
  route(listThings, async ({ query }) => answer(200, { limit: query.limit ?? null, q: query.q ?? null })),
  route(listFindings, async () => answer(200, {})),
  route(keepValue, async ({ body }) => answer(201, body)),
  route(removeThing, async () => answer(204, null)),
];

async function start(options: Partial<ApiOptions> = {}): Promise<string> {
  const api = createApi({
    authenticate: () => ({ principal: { kind: 'key', id: 'key_1', scopes: ['models:manage'] }, projectId: PROJECT }),
    logger: silentLogger(),
    metrics: createMetrics('test'),
    routes,
    ...options,
  });
  const server = await listen(api, { host: '127.0.0.1', port: 0 });
  running.push(server);
  return `http://127.0.0.1:${server.port}`;
}

interface ErrorAnswer {
  error: string;
  message: string;
  code: string;
  details?: { path: string; message: string }[];
  requestId: string;
}

async function fail(url: string, init?: RequestInit): Promise<{ status: number; headers: Headers; body: ErrorAnswer }> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorAnswer };
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('a mounted route', () => {
  it('gives the handler what the schemas made of the request, and answers what it gives back', async () => {
    const url = await start();
    const made = await fetch(`${url}/v1/projects/${PROJECT}/things`, post({ name: 'a' }));
    expect([made.status, made.headers.get('location'), await made.json()]).toEqual([201, '/x', { name: 'a', tags: 0 }]);
    const listed = await fetch(`${url}/v1/things?limit=7&q=a%20b`);
    expect(await listed.json()).toEqual({ limit: 7, q: 'a b' });
    const removed = await fetch(`${url}/v1/things/thg_1`, { method: 'DELETE' });
    expect([removed.status, await removed.text()]).toEqual([204, '']);
  });

  it('takes all that the gateway lets through, and what it adds', async () => {
    const url = await start();
    const response = await fetch(`${url}/v1/things?q=${'q'.repeat(MAX_HEADER_BYTES - 1_000)}`, {
      headers: { 'x-identity': 'i'.repeat(8_000) },
    });
    expect(response.status).toBe(200);
  });

  it('names every failed field of a body by its path', async () => {
    const url = await start();
    const { status, body } = await fail(`${url}/v1/projects/${PROJECT}/things`, post({ name: '', tags: [{ key: 1 }] }));
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.details?.map(({ path }) => path)).toEqual(['body.name', 'body.tags.0.key']);
  });

  it.each([
    [{ name: 'a', colour: 'red' }, 'colour'],
    [{ name: 'a', tags: [{ key: 'k', value: 1 }] }, 'value'],
    [JSON.parse('{"name":"a","__proto__":{"admin":true}}'), '__proto__'],
  ])('refuses the body %j, which has an unknown field', async (body, field) => {
    const url = await start();
    const answered = await fail(`${url}/v1/projects/${PROJECT}/things`, post(body));
    expect(answered.status).toBe(400);
    expect(JSON.stringify(answered.body.details)).toContain(field);
  });

  it.each([
    ['an integer beyond 2^53-1', '{"value":9007199254740993}', 'body.value'],
    ['one that is negative, and written as a fraction', '{"value":[-9007199254740992.0]}', 'body.value.0'],
    ['a number that overflows', '{"value":{"a":1e400}}', 'body.value.a'],
    ['a member twice', '{"value":1,"value":1}', 'body.value'],
    ['a member twice, written in two ways', '{"value":[{"key":"k","\\u006bey":"k"}]}', 'body.value.0.key'],
    ['a number that is beyond all and nothing else', '9007199254740993', 'body'],
  ])('refuses %s: it would not come back as it was sent', async (_name, text, path) => {
    const url = await start();
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await fail(`${url}/v1/values`, { method: 'POST', headers, body: text });
    const details = [{ path, message: expect.any(String) }];
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', details } });
  });

  it('takes integers up to 2^53-1, however they are written, and fractions as JSON has them', async () => {
    const url = await start();
    const text = '{"value":[9007199254740991,-9007199254740991,1.0,1e3,0.1,1e-400,1E30]}';
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(`${url}/v1/values`, { method: 'POST', headers, body: text });
    const value = [9007199254740991, -9007199254740991, 1, 1000, 0.1, 0, 1e30];
    expect([answered.status, await answered.json()]).toEqual([201, { value }]);
  });

  it('says that a body is missing where none came', async () => {
    const url = await start();
    const { status, body } = await fail(`${url}/v1/projects/${PROJECT}/things`, { method: 'POST' });
    expect([status, body.details?.[0]?.path]).toEqual([400, 'body']);
  });

  it.each([
    ['limit=x', 'query.limit'],
    ['colour=red', 'query'],
    ['__proto__=x', 'query'],
    ['limit=1&limit=2', 'query.limit'],
    ['q=a&q=a', 'query.q'],
    ['limit=%zz', 'query.limit'],
  ])('refuses the query %s, naming the parameter', async (query, path) => {
    const url = await start();
    const { status, body } = await fail(`${url}/v1/things?${query}`);
    expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_FAILED', path]);
  });

  it.each([
    ['colour=red', 'query'],
    ['colour=red&colour=red', 'query.colour'],
    ['=', 'query'],
    ['projectId=x', 'query'],
  ])('refuses the query %s where none is taken', async (query, path) => {
    const url = await start();
    const { status, body } = await fail(`${url}/v1/things/thg_1?${query}`, { method: 'DELETE' });
    expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_FAILED', path]);
  });

  it('takes an empty query where none is taken', async () => {
    const url = await start();
    expect((await fetch(`${url}/v1/things/thg_1?`, { method: 'DELETE' })).status).toBe(204);
  });

  it.each(['status=closed', 'status=open&status=open', 'colour=red'])(
    'answers a wrong query %s with the code that its spec names',
    async (query) => {
      const url = await start();
      expect((await fail(`${url}/v1/findings?${query}`)).body.code).toBe('INVALID_FILTER');
    },
  );

  it('answers a query with the code that its spec names also where it takes none', async () => {
    const { query: _query, ...withoutQuery } = listFindings;
    const url = await start({ routes: [route(defineRoute(withoutQuery), async () => answer(200, {}))] });
    expect((await fail(`${url}/v1/findings?colour=red`)).body.code).toBe('INVALID_FILTER');
  });

  it('answers an id that cannot exist like one that does not', async () => {
    const url = await start();
    const { status, body } = await fail(`${url}/v1/things/..%2f..%2fetc`, { method: 'DELETE' });
    expect([status, body.code, body.message]).toEqual([404, 'NOT_FOUND', 'Not found']);
  });

  it("answers another project's path and an unknown path with one body", async () => {
    const url = await start();
    const others = await fail(`${url}/v1/projects/${newId('prj')}/things`, post({ name: 'a' }));
    const unknown = await fail(`${url}/v1/nothing`);
    expect({ ...others.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect(others.status).toBe(404);
  });

  it('checks access before it looks at the body', async () => {
    const url = await start({ authenticate: () => undefined });
    const { status, headers } = await fail(`${url}/v1/projects/${PROJECT}/things`, post({ wrong: true }));
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('answers 405 with the methods there are to another method', async () => {
    const url = await start();
    const { status, headers, body } = await fail(`${url}/v1/things`, { method: 'PUT' });
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED']);
  });

  it('tells the methods of the path itself where a path with a parameter matches, too', async () => {
    const search = defineRoute({ ...keepValue, operationId: 'search', path: '/v1/things/search' });
    const url = await start({ routes: [...routes, route(search, async ({ body }) => answer(201, body))] });
    const { status, headers } = await fail(`${url}/v1/things/search`, { method: 'OPTIONS' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers HEAD as GET, without the body', async () => {
    const url = await start();
    const response = await fetch(`${url}/v1/things`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('request ids', () => {
  it('are on every answer, and in the body of every error', async () => {
    const url = await start();
    const good = await fetch(`${url}/v1/things`);
    expect(good.headers.get('x-service-request-id')).toMatch(/^req_/);
    const bad = await fail(`${url}/v1/nothing`);
    expect(bad.body.requestId).toBe(bad.headers.get('x-service-request-id'));
  });

  it("are the gateway's where it sent one, and never something else", async () => {
    const url = await start();
    const ask = async (id: string) => {
      const response = await fetch(`${url}/v1/things`, { headers: { 'x-service-request-id': id } });
      return response.headers.get('x-service-request-id');
    };
    const given = newId('req');
    expect(await ask(given)).toBe(given);
    expect(await ask('req_evil')).not.toBe('req_evil');
  });
});

describe('errors', () => {
  const failing = (thrown: unknown) =>
    route(listThings, async () => {
      throw thrown;
    });

  it('that carry no meaning tell the caller only the request id, and the log all of it', async () => {
    const logged: string[] = [];
    const logger = silentLogger();
    logger.error = (...line: unknown[]) => void logged.push(JSON.stringify(line, Object.getOwnPropertyNames(line[0])));
    const url = await start({ routes: [failing(new Error('the database password is 1234'))], logger });
    const { status, body } = await fail(`${url}/v1/things`);
    expect(status).toBe(500);
    expect(Object.keys(body).sort()).toEqual(['code', 'error', 'message', 'requestId']);
    expect(JSON.stringify(body)).not.toContain('1234');
    expect(logged.join()).toContain(body.requestId);
  });

  it.each([undefined, null, 'text', 7])('also when %p is thrown', async (thrown) => {
    const url = await start({ routes: [failing(thrown)] });
    expect((await fail(`${url}/v1/things`)).status).toBe(500);
  });

  it('bring their headers', async () => {
    const url = await start({
      routes: [failing(new AppError('OVERLOADED', 'm', { headers: { 'retry-after': '3' } }))],
    });
    const { status, headers } = await fail(`${url}/v1/things`);
    expect([status, headers.get('retry-after')]).toEqual([503, '3']);
  });

  it('of a path that does not decode are the caller’s', async () => {
    const url = await start();
    const { status, body } = await fail(`${url}/v1/things/%zz`, { method: 'DELETE' });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it.each([
    [404, 404],
    [416, 400],
    [412, 400],
    [200, 500],
  ])('of Express with status %i answer %i, never a leak', async (given, expected) => {
    const url = await start({ routes: [failing(Object.assign(new Error('ENOENT /etc/secret'), { status: given }))] });
    const { status, body } = await fail(`${url}/v1/things`);
    expect(status).toBe(expected);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('after the answer began cut the connection', async () => {
    const { promise: headCame, resolve: tellHead } = Promise.withResolvers<void>();
    const streaming = route(listThings, async (_input, { response }) => {
      response.write('{"partial":');
      await headCame;
      throw new Error('too late');
    });
    const url = await start({ routes: [streaming] });
    const response = await fetch(`${url}/v1/things`);
    tellHead();
    await expect(response.text()).rejects.toThrow();
  });

  it('of a large body can be read while its sender goes on, also on a connection that is to close', async () => {
    const url = await start({ maxBodyBytes: { json: 1000, batch: 1000 } });
    const request = sendRequest(`${url}/v1/projects/${PROJECT}/things`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json' },
    });
    const chunk = Buffer.alloc(64 * 1024, 'a');
    for (let sent = 0; sent < 100; sent += 1) request.write(chunk);
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // `agent: false` requests that the connection ends, and the answer confirms it.
    expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
    // The server ends with the test, while the body is still being sent.
    request.on('error', () => undefined);
    response.resume();
  });
});

describe('checkResponses', () => {
  const thing = (errors: readonly ErrorCode[], headers: Record<string, string> = {}) =>
    route({ ...createThing, errors }, async ({ body }) => {
      if (body.name === 'taken') throw new AppError('CONFLICT', 'There is one of this name');
      return answer(201, { name: body.name, tags: 0 }, headers);
    });
  const make = (url: string, name: string) => fetch(`${url}/v1/projects/${PROJECT}/things`, post({ name }));

  it('refuses an error whose status the route does not declare', async () => {
    const lying = await start({ routes: [thing([])], checkResponses: true });
    expect((await make(lying, 'taken')).status).toBe(500);
    const honest = await start({ routes: [thing(['CONFLICT'])], checkResponses: true });
    expect((await make(honest, 'taken')).status).toBe(409);
  });

  it('refuses a 201 that does not say where to find what was made', async () => {
    const silent = await start({ routes: [thing([])], checkResponses: true });
    expect((await make(silent, 'new')).status).toBe(500);
    const telling = await start({ routes: [thing([], { location: '/there' })], checkResponses: true });
    expect((await make(telling, 'new')).status).toBe(201);
  });

  const lying = [
    route(listThings, async () => answer(200, { limit: 'many', q: null } as never)),
    route(removeThing, async () => ({ status: 200, body: null, headers: {} }) as never),
  ];

  it('fails an answer against its schema, and a status that the spec does not declare', async () => {
    const url = await start({ routes: lying, checkResponses: true });
    expect((await fetch(`${url}/v1/things`)).status).toBe(500);
    expect((await fetch(`${url}/v1/things/thg_1`, { method: 'DELETE' })).status).toBe(500);
  });

  it('costs nothing in production', async () => {
    const url = await start({ routes: lying, checkResponses: false });
    expect((await fetch(`${url}/v1/things`)).status).toBe(200);
  });
});

describe('the context of a handler', () => {
  it('has a signal that aborts when the caller goes away', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const waiting = route(listThings, async (_input, { signal }) => {
      signal.addEventListener('abort', () => resolve());
      begin();
      await aborted;
      return answer(200, { limit: null, q: null });
    });
    const url = await start({ routes: [waiting] });
    const controller = new AbortController();
    const call = fetch(`${url}/v1/things`, { signal: controller.signal }).catch(() => 'aborted');
    await begun;
    controller.abort();
    expect(await call).toBe('aborted');
    await aborted;
  });

  it('has a signal that aborts when its events are ended before their time, though its answer was sent', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const endless = route(listThings, async (_input, { signal, response }) => {
      signal.addEventListener('abort', () => resolve());
      response.setHeader('content-type', 'text/event-stream');
      response.write('data: one\n\n');
      await aborted;
      return answer(200, { limit: null, q: null });
    });
    const url = await start({ routes: [endless] });
    const answered = await fetch(`${url}/v1/things`);
    await Promise.all(running.splice(0).map((server) => server.stop({ drainMs: 20 })));
    expect(await answered.text()).toContain('is stopping');
    await aborted;
  });

  it('has a signal that stays silent when the answer was sent', async () => {
    let signal: AbortSignal | undefined;
    let isClosed = false;
    const quick = route(listThings, async (_input, context) => {
      signal = context.signal;
      context.response.once('close', () => (isClosed = true));
      return answer(200, { limit: null, q: null });
    });
    const url = await start({ routes: [quick] });
    await (await fetch(`${url}/v1/things`)).text();
    await until(() => isClosed);
    expect(signal?.aborted).toBe(false);
  });
});

describe('metrics', () => {
  const metrics = createMetrics('test');
  afterAll(() => metrics.clear());

  it('count requests by route and status, not by id', async () => {
    const url = await start({ metrics });
    await fetch(`${url}/v1/things/thg_1`, { method: 'DELETE' });
    await fetch(`${url}/v1/things/thg_2`, { method: 'DELETE' });
    await fetch(`${url}/v1/nothing`);
    const linesNow = async () => (await metrics.metrics()).split('\n').filter((line) => line.startsWith('clew_http'));
    // An answer is counted when its response has closed.
    await until(async () => (await linesNow()).some((line) => line.includes('route="unmatched",status="404"')));
    const labels = 'service="test",method="DELETE",route="/v1/things/:thingId",status="204"';
    await until(async () => (await linesNow()).includes(`clew_http_request_duration_seconds_count{${labels}} 2`));
    const lines = await linesNow();
    expect(lines.some((line) => line.includes('thg_1'))).toBe(false);
  });

  it('tell how many requests are in hand while they are, by the class of their route', async () => {
    const own = createMetrics('in flight');
    const { promise: answered, resolve } = Promise.withResolvers<undefined>();
    const slow = defineRoute({ ...listFindings, path: '/v1/slow', routeClass: 'inference' });
    const url = await start({ metrics: own, routes: [route(slow, async () => (await answered, answer(200, {})))] });
    const line = 'clew_http_requests_in_flight{class="inference",service="in flight"}';
    const told = async () => (await own.metrics()).split('\n');
    expect(await told()).toContain(`${line} 0`);
    const calls = [fetch(`${url}/v1/slow`), fetch(`${url}/v1/slow`)];
    await until(async () => (await told()).includes(`${line} 2`));
    resolve(undefined);
    await Promise.all(calls);
    await until(async () => (await told()).includes(`${line} 0`));
  });
});
