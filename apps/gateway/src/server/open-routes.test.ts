import { afterEach, describe, expect, it } from '@jest/globals';
import { startFront, type Front, type FrontOptions } from '../test-support/front.ts';
import { startUpstream, type Upstream } from '../test-support/upstream.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: FrontOptions = {}): Promise<{ front: Front; upstream: Upstream; bodies: Buffer[] }> {
  const bodies: Buffer[] = [];
  const upstream = await startUpstream((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      response.statusCode = 202;
      response.end('{}');
    });
  });
  const front = await startFront({ upstreamUrl: upstream.url, ...options });
  closing.push(upstream.close, front.stop);
  return { front, upstream, bodies };
}

const PATH = '/v1/webhooks/github/con_1';
const post = (front: Front, path = PATH, init: RequestInit = {}) =>
  fetch(`${front.url}${path}`, { method: 'POST', body: '{}', ...init });

describe('a webhook of a provider', () => {
  it('is passed on without a key: its bytes, query and headers, and no identity whatever it claims', async () => {
    const { front, upstream, bodies } = await start();
    const body = Buffer.from([0, 255, 13, 10, 32, 123]);
    const headers = {
      ...{ 'x-hub-signature-256': 'sha256=00', 'x-gitlab-token': 'token', 'linear-signature': '00' },
      ...{ 'x-clew-identity': 'forged', authorization: front.key.authorization, 'x-clew-project': 'prj_1' },
    };
    const response = await post(front, `${PATH}?secret=a&secret=b&x`, { body, headers });
    expect(response.status).toBe(202);
    expect(bodies).toEqual([body]);
    const [seen] = upstream.seen;
    expect(seen).toMatchObject({ method: 'POST', url: `${PATH}?secret=a&secret=b&x` });
    expect(seen?.headers).toMatchObject({
      ...{ 'x-hub-signature-256': 'sha256=00', 'x-gitlab-token': 'token', 'linear-signature': '00' },
      'x-service-request-id': response.headers.get('x-service-request-id'),
    });
    for (const name of ['x-clew-identity', 'authorization', 'x-clew-project']) {
      expect(seen?.headers).not.toHaveProperty(name);
    }
    expect(JSON.stringify(front.log)).not.toContain('secret');
  });

  it('is refused when it is too large, with or without a declared size', async () => {
    const { front } = await start({ maxBodyBytes: { json: 1_024 } });
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(1_025));
        controller.close();
      },
    });
    const inChunks = { body: chunks, duplex: 'half' } as RequestInit;
    const answers = [await post(front, PATH, { body: new Uint8Array(1_025) }), await post(front, PATH, inChunks)];
    expect(answers.map(({ status }) => status)).toEqual([413, 413]);
  });

  it('has a limit per connector, and per address of the caller however many connectors it makes up', async () => {
    const { front, upstream } = await start({ openRequestsPerWindow: 3 });
    const statuses = async (paths: readonly string[]) =>
      await Promise.all(paths.map(async (path) => (await post(front, path)).status));
    expect(await statuses(Array.from({ length: 4 }, () => PATH))).toEqual(expect.arrayContaining([202, 202, 202, 429]));
    const refused = await post(front);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    const others = Array.from({ length: 6 }, (_, index) => `/v1/webhooks/github/con_${index + 2}`);
    expect((await statuses(others)).filter((status) => status === 202)).toHaveLength(1);
    expect(upstream.seen).toHaveLength(4);
    const withKey = await fetch(`${front.url}/v1/models`, { headers: { authorization: front.key.authorization } });
    expect(withKey.status).toBe(202);
  });

  it('leaves places to those with a key', async () => {
    const { front } = await start({ maxRequestsOfProjects: 4, turns: { places: 4, share: 4 } });
    const hanging = Array.from({ length: 4 }, () => new AbortController());
    const endless = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
    const begun = hanging.map(({ signal }) =>
      post(front, PATH, { body: endless(), duplex: 'half', signal } as RequestInit).catch(() => undefined),
    );
    const full = await Promise.race(begun.map(async (each) => (await each)?.status));
    expect(full).toBe(429);
    const withKey = await fetch(`${front.url}/v1/models`, { headers: { authorization: front.key.authorization } });
    expect(withKey.status).toBe(202);
    hanging.forEach((each) => each.abort());
    await Promise.all(begun);
  });
});
