import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { eventually, fixedClock } from '@clew/testing';
import { startFront, type Front, type FrontOptions } from '../test-support/front.ts';
import { OTHER_PROJECT, PROJECT, testKey, WORKSPACE, type TestKey } from '../test-support/keys.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: FrontOptions = {}): Promise<{ front: Front; upstream: Upstream }> {
  const upstream = await startUpstream();
  const front = await startFront({ upstreamUrl: upstream.url, ...options });
  closing.push(upstream.close, front.stop);
  return { front, upstream };
}

interface ErrorAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function ask(front: Front, path: string, headers: Record<string, string> = {}): Promise<ErrorAnswer> {
  const response = await fetch(`${front.url}${path}`, { headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const as = ({ authorization }: TestKey, more: Record<string, string> = {}) => ({ authorization, ...more });
const path = (projectId: string) => `/v1/projects/${projectId}/traces`;

describe('authentication', () => {
  it('asks for a key, telling how', async () => {
    const { front } = await start();
    const { status, headers, body } = await ask(front, path(PROJECT));
    expect([status, headers.get('www-authenticate'), body['code']]).toEqual([401, 'Bearer', 'UNAUTHENTICATED']);
    expect(body['message']).toContain('Authorization: Bearer');
  });

  it('answers every key that does not work with one body', async () => {
    const revoked = testKey({ revokedAt: 1 });
    const expired = testKey({ expiresAt: 1 });
    const { front, upstream } = await start({ keys: [revoked, expired] });
    const unknown = testKey();
    const mistyped = `${front.key.secret.slice(0, -1)}${front.key.secret.endsWith('a') ? 'b' : 'a'}`;
    const wrong = [revoked, expired, unknown]
      .map(({ authorization }) => authorization)
      .concat(`Bearer ${mistyped}`, 'Bearer x', `Basic ${front.key.secret}`, front.key.secret, 'Bearer', 'Bearer  ');
    for (const authorization of wrong) {
      const { status, body } = await ask(front, path(PROJECT), { authorization });
      const message =
        authorization === 'Bearer' || authorization === 'Bearer  '
          ? expect.any(String)
          : 'The API key is unknown, expired or revoked';
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED', message } });
    }
    expect(upstream.seen).toEqual([]);
  });

  it('is not told to any log', async () => {
    const { front } = await start();
    await ask(front, path(PROJECT), as(front.key));
    await ask(front, path(PROJECT), as(testKey()));
    await eventually(() => expect(front.log.length).toBeGreaterThanOrEqual(2));
    expect(JSON.stringify(front.log)).not.toContain(front.key.secret.slice(12));
    expect(front.log).toContainEqual(expect.objectContaining({ keyId: front.key.key.id, status: 200 }));
  });

  it('ends when a key expires that is in the cache', async () => {
    const clock = fixedClock(1_000);
    const short = testKey({ expiresAt: 2_000 });
    const { front } = await start({ keys: [short], clock });
    expect((await ask(front, path(PROJECT), as(short))).status).toBe(200);
    clock.advance(1_000);
    expect((await ask(front, path(PROJECT), as(short))).status).toBe(401);
  });

  it('is not needed for what is public', async () => {
    const { front } = await start();
    for (const open of ['/healthz', '/readyz', '/docs/', '/docs']) {
      for (const method of ['GET', 'HEAD']) {
        expect((await fetch(`${front.url}${open}`, { method })).status).toBe(200);
      }
    }
    expect((await fetch(`${front.url}/openapi.json`)).status).toBe(404);
  });
});

describe("a project that is not the caller's", () => {
  it('answers the same body as a missing thing, whether it exists or not, on every kind of route', async () => {
    const everything = testKey({ projectIds: 'all' });
    const foreign = newId('prj');
    const { front, upstream } = await start({ keys: [everything], projects: { [foreign]: newId('ws') } });
    const missing = await ask(front, '/v1/nothing', as(front.key));
    expect([missing.status, missing.body['code']]).toEqual([404, 'NOT_FOUND']);
    const asked: [TestKey, string, Record<string, string>?][] = [
      [front.key, path(OTHER_PROJECT)],
      [front.key, path('prj_none')],
      [front.key, `/v1/projects/${OTHER_PROJECT}`],
      [front.key, `/v1/projects/${OTHER_PROJECT}/api-keys`],
      [front.key, '/v1/traces', { 'x-clew-project': OTHER_PROJECT }],
      [everything, path(foreign)],
      [everything, path(newId('prj'))],
      [everything, `/v1/projects/${foreign}`],
      [everything, `/v1/projects/${foreign}/api-keys`],
      [everything, '/v1/traces', { 'x-clew-project': foreign }],
      [everything, '/v1/traces', { 'x-clew-project': `${PROJECT}, ${PROJECT}` }],
      [everything, '/v1/traces', { 'x-clew-project': '__proto__' }],
    ];
    for (const [key, target, headers] of asked) {
      const { status, body } = await ask(front, target, as(key, headers));
      expect({ target, status, ...body, requestId: '' }).toEqual({
        target,
        ...missing.body,
        status: 404,
        requestId: '',
      });
    }
    expect(upstream.seen).toEqual([]);
  });

  it('is open to a key for all projects of its workspace', async () => {
    const everything = testKey({ projectIds: 'all' });
    const { front } = await start({ keys: [everything], projects: { [OTHER_PROJECT]: WORKSPACE } });
    expect((await ask(front, path(OTHER_PROJECT), as(everything))).status).toBe(200);
    expect((await ask(front, `/v1/projects/${OTHER_PROJECT}`, as(everything))).status).toBe(200);
  });
});

describe('a route that names no project', () => {
  const OTLP = '/v1/traces';

  async function projectHeard(key: TestKey, headers: Record<string, string> = {}): Promise<unknown> {
    const { front, upstream } = await start({ keys: [key], projects: { [OTHER_PROJECT]: WORKSPACE } });
    const { status, body } = await ask(front, OTLP, as(key, headers));
    const heard = upstream.seen[0];
    return heard === undefined ? [status, body['code']] : front.callerOf(heard)?.projectId;
  }

  it('takes a single project from the key, also where the header says the same', async () => {
    expect(await projectHeard(testKey())).toBe(PROJECT);
    expect(await projectHeard(testKey(), { 'x-clew-project': PROJECT })).toBe(PROJECT);
  });

  it('takes it from the header where the key is for several', async () => {
    const several = testKey({ projectIds: [PROJECT, OTHER_PROJECT] });
    expect(await projectHeard(several, { 'x-clew-project': OTHER_PROJECT })).toBe(OTHER_PROJECT);
    expect(await projectHeard(testKey({ projectIds: 'all' }), { 'x-clew-project': OTHER_PROJECT })).toBe(OTHER_PROJECT);
  });

  it.each([[{}], [{ 'x-clew-project': '' }]])('answers 400 PROJECT_REQUIRED without either (%j)', async (headers) => {
    const several = testKey({ projectIds: [PROJECT, OTHER_PROJECT] });
    expect(await projectHeard(several, headers)).toEqual([400, 'PROJECT_REQUIRED']);
    expect(await projectHeard(testKey({ projectIds: 'all' }), headers)).toEqual([400, 'PROJECT_REQUIRED']);
  });
});

describe('the rate limit', () => {
  it('is told with every answer, and beyond it 429 says when to come back', async () => {
    const other = testKey();
    const { front, upstream } = await start({ keys: [other], requestsPerWindow: 3 });
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await ask(front, path(PROJECT), as(front.key));
      expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        200,
        '3',
        remaining,
      ]);
      expect(headers.get('ratelimit-reset')).toBe('1');
    }
    const { status, headers, body } = await ask(front, path(PROJECT), as(front.key));
    expect([status, body['code'], headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(upstream.seen).toHaveLength(3);
    expect((await ask(front, path(PROJECT), as(other))).status).toBe(200);
    expect((await ask(front, '/v1/projects', as(front.key))).status).toBe(429);
    await eventually(async () => expect((await ask(front, path(PROJECT), as(front.key))).status).toBe(200));
  });
});

describe('overload', () => {
  it('sheds requests beyond those in flight, but not the probes', async () => {
    const { promise: mayFinish, resolve: finish } = Promise.withResolvers<void>();
    const upstream = await startUpstream(async (_request, response) => {
      await mayFinish;
      response.end('{}');
    });
    const front = await startFront({ upstreamUrl: upstream.url, maxRequestsInFlight: 3 });
    closing.push(upstream.close, front.stop);
    const slow = Array.from({ length: 3 }, () => ask(front, path(PROJECT), as(front.key)));
    await eventually(() => expect(upstream.seen).toHaveLength(3));
    const { status, headers, body } = await ask(front, path(PROJECT), as(front.key));
    expect([status, body['code'], headers.get('retry-after')]).toEqual([503, 'OVERLOADED', '1']);
    expect((await ask(front, '/healthz')).status).toBe(200);
    finish();
    expect((await Promise.all(slow)).map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect((await ask(front, path(PROJECT), as(front.key))).status).toBe(200);
  });

  it('sheds requests while the event loop lags, and no longer', async () => {
    const { front } = await start({ maxEventLoopLagMs: 150 });
    await eventually(async () => expect((await ask(front, path(PROJECT), as(front.key))).status).toBe(200));
    let lagging = true;
    const lag = (async () => {
      while (lagging) {
        const untilMs = performance.now() + 300;
        while (performance.now() < untilMs);
        await turn();
      }
    })();
    await eventually(
      async () => {
        const { status, body } = await ask(front, path(PROJECT), as(front.key));
        expect([status, body['code']]).toEqual([503, 'OVERLOADED']);
      },
      { timeoutMs: 15_000 },
    );
    expect((await ask(front, '/healthz')).status).toBe(200);
    lagging = false;
    await lag;
    await eventually(async () => expect((await ask(front, path(PROJECT), as(front.key))).status).toBe(200));
  });
});
