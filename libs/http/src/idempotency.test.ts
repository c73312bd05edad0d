import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineRoute } from '@clew/contracts';
import {
  AppError,
  canonicalJson,
  createFingerprint,
  type IdempotencyStore,
  type IdempotentReply,
  type IdempotentRequest,
} from '@clew/kernel';
import { silentLogger } from '@clew/runtime';
import { createApi } from './api.ts';
import { BodyMark } from './body-mark.ts';
import { heldWhile } from './idempotency.ts';
import { answer, route } from './implement.ts';
import { receiveBody } from './receive-body.ts';
import { listen, type RunningServer } from './server.ts';

const makeThing = defineRoute({
  operationId: 'makeThing',
  service: 'gateway',
  method: 'post',
  path: '/v1/things',
  tag: 'Things',
  summary: 'Make',
  access: { kind: 'caller', scopes: ['models:manage'], permissions: [] },
  idempotent: true,
  query: z.strictObject({ colour: z.string().optional() }),
  body: z.strictObject({ name: z.string().min(1) }),
  responses: { 201: z.object({ number: z.number() }) },
});
const sendThing = defineRoute({
  operationId: 'sendThing',
  service: 'gateway',
  method: 'post',
  path: '/v1/files',
  tag: 'Things',
  summary: 'Send',
  access: { kind: 'caller', scopes: ['models:manage'], permissions: [] },
  idempotent: true,
  routeClass: 'stream',
  responses: { 201: z.object({ number: z.number() }) },
});
const pokeThing = defineRoute({ ...makeThing, operationId: 'pokeThing', path: '/v1/pokes', idempotent: false });

const countThing = defineRoute({ ...makeThing, operationId: 'countThing', path: '/v1/counts' });

const fingerprintOf = createFingerprint('a secret of tests, of 32 bytes or more');

/** In-memory version of the store, which otherwise uses a database. */
function memoryStore() {
  const replies = new Map<string, { fingerprint: string; reply?: IdempotentReply }>();
  const requests: IdempotentRequest[] = [];
  const store: IdempotencyStore = {
    fingerprintOf,
    async begin(request) {
      requests.push(request);
      const id = JSON.stringify([request.scope, request.key]);
      const known = replies.get(id);
      if (known !== undefined && known.fingerprint !== request.fingerprint) {
        throw new AppError('IDEMPOTENCY_KEY_REUSED', 'reused');
      }
      if (known?.reply !== undefined) return { reply: known.reply };
      if (known !== undefined) throw new AppError('IDEMPOTENCY_KEY_IN_FLIGHT', 'in flight');
      replies.set(id, { fingerprint: request.fingerprint });
      return {
        attempt: {
          fingerprintOf,
          record: async (_tx, reply) => void replies.set(id, { fingerprint: request.fingerprint, reply }),
          advance: async () => undefined,
          renew: async () => undefined,
          release: async () => void (replies.get(id)?.reply === undefined && replies.delete(id)),
        },
      };
    },
  };
  return { store, requests, replies };
}

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

let made = 0;

async function start(store: IdempotencyStore, principalId = 'key_1') {
  const api = createApi({
    authenticate: () => ({ principal: { kind: 'key', id: principalId, scopes: ['models:manage'] } }),
    logger: silentLogger(),
    idempotency: store,
    routes: [
      route(makeThing, async ({ body }, { attempt }) => {
        if (body.name === 'refused') throw new AppError('CONFLICT', 'not now');
        made += 1;
        const reply = answer(201, { number: made }, { location: `/v1/things/${made}` });
        await attempt?.record({}, reply);
        return reply;
      }),
      route(sendThing, async (_input, { request, attempt }) => {
        const mark = new BodyMark(fingerprintOf);
        for await (const _chunk of receiveBody(request, { maxBytes: 10_000_000, maxDecompressedBytes: 1e9 }, mark));
        made += 1;
        const reply = { ...answer(201, { number: made }), bodyMark: mark.text };
        await attempt?.record({}, reply);
        return reply;
      }),
      route(
        countThing,
        async (_input, { attempt }) => {
          const reply = answer(201, { number: (made += 1) }, { location: '/v1/counts/1' });
          await attempt?.record({}, reply);
          return reply;
        },
        { replay: async (kept) => ({ ...kept, body: { number: -kept.body.number } }) },
      ),
      route(pokeThing, async () => answer(201, { number: (made += 1) })),
    ],
  });
  const server = await listen(api, { host: '127.0.0.1', port: 0 });
  running.push(server);
  return async (body: unknown, key?: string, path = '/v1/things') => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
}

describe('a route that honours Idempotency-Key', () => {
  it('gives a repeat the first status, headers and body, and says that it did', async () => {
    const post = await start(memoryStore().store);
    const first = await post({ name: 'a' }, 'k');
    const again = await post({ name: 'a' }, '"k"');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  it('may make the answer to a repeat of what it kept, and of the moment', async () => {
    const post = await start(memoryStore().store);
    const first = await post({ name: 'a' }, 'k', '/v1/counts');
    const again = await post({ name: 'a' }, 'k', '/v1/counts');
    expect([again.status, again.body]).toEqual([201, { number: -Number(first.body['number']) }]);
    expect(again.headers.get('location')).toBe('/v1/counts/1');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('does its work each time without the header', async () => {
    const post = await start(memoryStore().store);
    expect((await post({ name: 'a' })).body).not.toEqual((await post({ name: 'a' })).body);
  });

  it('takes the same members in another order for the same body, anything else for another: 422', async () => {
    const post = await start(memoryStore().store);
    const first = await post('{"name":"a"}', 'k');
    expect((await post('{ "name" : "a" }', 'k')).body).toEqual(first.body);
    expect(await post({ name: 'b' }, 'k')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await post({ name: 'a' }, 'k', '/v1/things?colour=red')).toMatchObject({ status: 422 });
  });

  it('keeps of a body nothing that can be guessed without the secret, whether it was read whole or came as a stream', async () => {
    const { store, requests, replies } = memoryStore();
    const post = await start(store);
    const body = { name: '4711' };
    await post(body, 'k');
    await post(body, 'k', '/v1/files');
    const kept = JSON.stringify([requests, [...replies.values()]]);
    for (const text of [canonicalJson(body), `\n${canonicalJson(body)}`, JSON.stringify(body)]) {
      const hash = createHash('sha256').update(text);
      for (const plain of [hash.copy().digest('hex'), hash.copy().digest('base64url')])
        expect(kept).not.toContain(plain);
    }
    expect(requests[0]?.fingerprint).toBe(fingerprintOf(`\n${canonicalJson(body)}`));
  });

  it('keeps neither a validation error nor what the handler refused', async () => {
    const { store, requests } = memoryStore();
    const post = await start(store);
    expect((await post({ name: '' }, 'k')).status).toBe(400);
    expect(requests).toEqual([]);
    expect((await post({ name: 'refused' }, 'k')).status).toBe(409);
    expect((await post({ name: 'a' }, 'k')).status).toBe(201);
  });

  it('says of a body that cannot be told from others what is wrong with it', async () => {
    const post = await start(memoryStore().store);
    expect(await post('{"name":"\\ud800"}', 'k')).toMatchObject({
      status: 400,
      body: { code: 'MALFORMED_BODY', message: expect.stringContaining('well-formed') },
    });
  });

  it('keeps the keys of callers apart', async () => {
    const { store } = memoryStore();
    const [one, other] = [await start(store, 'key_1'), await start(store, 'key_2')];
    expect((await one({ name: 'a' }, 'k')).body).not.toEqual((await other({ name: 'a' }, 'k')).body);
  });

  it('refuses a key that is none with 400', async () => {
    const post = await start(memoryStore().store);
    expect(await post({ name: 'a' }, 'k'.repeat(256))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_IDEMPOTENCY_KEY' },
    });
  });
});

describe('a route that honours it for a body that is a stream', () => {
  const file = 'a line\n'.repeat(100_000);

  it('gives the same file the first answer, and never calls its handler again', async () => {
    const post = await start(memoryStore().store);
    const first = await post(file, 'k', '/v1/files');
    const again = await post(file, 'k', '/v1/files');
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it.each([
    ['is longer', `${file}x`],
    ['is shorter', file.slice(1)],
    ['is of the same length', `b${file.slice(1)}`],
    ['is empty', ''],
  ])('answers 422 to a file that %s', async (_name, other) => {
    const post = await start(memoryStore().store);
    await post(file, 'k', '/v1/files');
    expect(await post(other, 'k', '/v1/files')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });
});

describe('a route that says it is idempotent', () => {
  const basis = { authenticate: () => undefined, logger: silentLogger() };

  it('is not mounted without a store for its answers', () => {
    const routes = [route(makeThing, async () => answer(201, { number: 1 }))];
    expect(() => createApi({ ...basis, routes })).toThrow('makeThing is idempotent');
  });

  it('fails its test when it succeeds without recording its answer', async () => {
    const api = createApi({
      ...basis,
      authenticate: () => ({ principal: { kind: 'key', id: 'key_1', scopes: ['models:manage'] } }),
      idempotency: memoryStore().store,
      checkResponses: true,
      routes: [route(makeThing, async () => answer(201, { number: 1 }, { location: '/v1/things/1' }))],
    });
    const server = await listen(api, { host: '127.0.0.1', port: 0 });
    running.push(server);
    const post = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${server.port}/v1/things`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"name":"a"}',
      });
    expect((await post({})).status).toBe(201);
    expect((await post({ 'idempotency-key': 'k' })).status).toBe(500);
  });
});

it('a key is held while the work goes on, and not after it', async () => {
  let renewals = 0;
  const renewed: (() => void)[] = [];
  const attempt = {
    advance: async () => undefined,
    fingerprintOf,
    record: async () => undefined,
    release: async () => undefined,
    renew: async () => {
      renewals += 1;
      renewed.forEach((tell) => tell());
      throw new Error('the database is away for a moment');
    },
  };
  const thrice = new Promise<void>((resolve) => renewed.push(() => renewals === 3 && resolve()));
  expect(
    await heldWhile(
      attempt,
      thrice.then(() => 'done'),
      1,
    ),
  ).toBe('done');
  const atTheEnd = renewals;
  await heldWhile(attempt, new Promise((resolve) => setImmediate(resolve)), 1_000);
  expect(renewals).toBe(atTheEnd);
});

it('a route that does not honour it does its work each time', async () => {
  const { store, requests } = memoryStore();
  const post = await start(store);
  expect((await post({ name: 'a' }, 'k', '/v1/pokes')).body).not.toEqual(
    (await post({ name: 'a' }, 'k', '/v1/pokes')).body,
  );
  expect(requests).toEqual([]);
});
