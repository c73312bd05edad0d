import { rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@clew/runtime';
import { startFront, type Front } from '../test-support/front.ts';
import { sendRaw } from '../test-support/raw-http.ts';
import { INDEX_HTML, makeWorkbenchFolder, SCRIPT } from '../test-support/workbench-folder.ts';
import { createWorkbench } from './create-workbench.ts';

const folder = makeWorkbenchFolder();
let front: Front;
let without: Front;

beforeAll(async () => {
  [front, without] = [await startFront({ workbench: folder }), await startFront()];
});
afterAll(async () => {
  await front.stop();
  await without.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Asks without decoding what comes, as `fetch` would. */
async function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  at = front.url,
): Promise<Answer> {
  const asked = request(`${at}${path}`, { method, headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks = await response.toArray();
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks as Buffer[]) };
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ASSET = '/assets/index-5f3a.js';
const SHOWN = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

describe('the page of the Workbench', () => {
  it('is asked for anew each time, under the strictest policy', async () => {
    const { status, headers, body } = await ask('/', HTML);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...SHOWN,
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(body.toString()).toBe(INDEX_HTML);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('is not sent again to a browser that has it', async () => {
    const { headers } = await ask('/', HTML);
    const etag = headers.etag ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`]) {
      const again = await ask('/p/prj_1', { ...HTML, 'if-none-match': known });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers).toMatchObject({ 'cache-control': 'no-cache' });
    }
    expect((await ask('/', { ...HTML, 'if-none-match': '"another"' })).status).toBe(200);
  });

  it.each(['/', '/p/prj_1/findings?review=unreviewed', '/SETUP', '/v2', '/index.html', '/a%20b', '/docsearch'])(
    'is at %s, for GET and HEAD',
    async (path) => {
      const [got, head] = [await ask(path, HTML), await ask(path, HTML, 'HEAD')];
      expect([got.status, got.body.toString()]).toEqual([200, INDEX_HTML]);
      expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, got.headers.etag]);
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(INDEX_HTML)));
    },
  );

  it('is not what a program gets for a path that it mistook, nor what a change is answered with', async () => {
    for (const accept of ['application/json', '*/*', 'image/*']) {
      const answer = await ask('/p/prj_1', { accept });
      expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([404, { code: 'NOT_FOUND' }]);
      expect(answer.headers['vary']).toBe('accept');
    }
    expect((await ask('/p/prj_1', HTML)).headers['vary']).toBe('accept');
    expect((await ask('/p/prj_1', HTML, 'POST')).status).toBe(404);
    const posted = await ask('/', HTML, 'POST');
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await ask('/')).status).toBe(200);
  });

  it.each([
    ['/v1', 404],
    ['/v1/nothing', 401],
    ['/openapi.json/x', 404],
    ['/healthz/x', 404],
    ['/readyz/x', 404],
    ['/metrics', 404],
    ['/assets', 404],
    ['/assets/', 400],
  ])('leaves the paths of the API and the gateway alone: %s is %i', async (path, status) => {
    const answer = await ask(path, HTML);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('is found by the path at which callers reach the deployment', async () => {
    const logger = createLogger({ service: 'gateway', version: '0', level: 'error' });
    const bases = ['https://clew.example', 'https://host.example/clew', 'https://host.example/a/$&/'].map(
      async (publicUrl) => {
        const server = createServer(createWorkbench({ folder, publicUrl, logger })).listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        const { body } = await ask('/', {}, 'GET', `http://127.0.0.1:${port}`);
        server.close();
        return /<base [^>]*>/.exec(body.toString())?.[0];
      },
    );
    expect(await Promise.all(bases)).toEqual(['<base href="/">', '<base href="/clew/">', '<base href="/a/$&amp;/">']);
  });

  it('is nowhere, unless it is configured', async () => {
    for (const path of ['/p/prj_1', ASSET]) {
      const answer = await ask(path, HTML, 'GET', without.url);
      expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    }
  });

  it('is counted by a name of its own in the log', () => {
    expect(front.log).toContainEqual(expect.objectContaining({ route: 'workbench', status: 200 }));
  });
});

describe('an asset', () => {
  it('is kept for ever, with its type, under the same policy', async () => {
    const { status, headers, body } = await ask(ASSET);
    expect([status, body.toString()]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      ...SHOWN,
      ...{ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': 'text/javascript; charset=utf-8' },
      ...{ vary: 'accept-encoding', 'content-length': String(SCRIPT.length) },
    });
    expect(headers).not.toHaveProperty('content-encoding');
    expect((await ask('/assets/index-77aa.css')).headers['content-type']).toBe('text/css; charset=utf-8');
    const font = await ask('/assets/face-1b.woff2');
    expect([font.headers['content-type'], [...font.body]]).toEqual(['font/woff2', [0, 255, 13, 10]]);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['*', 'br'],
    ['zstd', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
  ])('comes encoded as the browser takes it: of %s, %s', async (accepted, encoding) => {
    const { headers, body } = await ask(ASSET, { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
    const decoded = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
    expect(decoded.toString()).toBe(SCRIPT);
    expect(headers['content-length']).toBe(String(body.length));
    const head = await ask(ASSET, { 'accept-encoding': accepted }, 'HEAD');
    expect([head.body.length, head.headers['content-length']]).toEqual([0, headers['content-length']]);
  });

  it('that the build has not encoded comes as it is', async () => {
    const { headers, body } = await ask('/assets/index-77aa.css', { 'accept-encoding': 'br, gzip' });
    expect([headers['content-encoding'], headers.vary, body.toString()]).toEqual([
      ...[undefined, 'accept-encoding', 'body { margin: 0 }'],
    ]);
  });

  it('that is missing is told so in the common body, also to a browser that navigates, and nobody remembers it', async () => {
    for (const path of [
      '/assets/index-0000.js',
      '/assets/index-5f3a.js.br',
      '/assets/index-5f3a.js/x',
      `${ASSET}%00`,
    ]) {
      const { status, headers, body } = await ask(path, HTML);
      expect({ path, status, type: headers['content-type'] }).toEqual({
        ...{ path, status: path.endsWith('%00') ? 400 : 404, type: 'application/json; charset=utf-8' },
      });
      if (status === 404) expect(headers['cache-control']).toBe('no-store');
      expect(JSON.parse(body.toString())).toMatchObject({ requestId: headers['x-service-request-id'] });
    }
    const posted = await ask(ASSET, {}, 'DELETE');
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('is none that the folder did not hold at the start', async () => {
    writeFileSync(join(folder, 'assets', 'late-0.js'), 'late');
    expect((await ask('/assets/late-0.js')).status).toBe(404);
    rmSync(join(folder, 'assets', 'index-77aa.css'));
    expect((await ask('/assets/index-77aa.css')).status).toBe(200);
  });

  it.each([
    '/assets/../index.html',
    '/assets/../../../../etc/passwd',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/..%5cindex.html',
    '/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/assets//etc/passwd',
    '/../assets/index-5f3a.js',
    '/assets\\index-5f3a.js',
  ])('is never outside of its folder: %s', async (path) => {
    const { status } = await sendRaw(
      front.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(400);
  });
});
