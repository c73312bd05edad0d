import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { listen } from '@clew/http';
import { useCleanup } from '@clew/testing';
import { untilReady } from './readiness.ts';

const cleanUp = useCleanup();
const probe = { path: '/v1/completions', body: () => JSON.stringify({ prompt: 'a', max_tokens: 1 }) };

async function engine(listener: RequestListener): Promise<string> {
  const server = await listen(createServer(listener), { host: '127.0.0.1', port: 0 });
  cleanUp(() => server.stop());
  return `http://127.0.0.1:${server.port}`;
}

function waitFor(baseUrl: string, timeoutMs = 5_000, signal = new AbortController().signal) {
  return untilReady({ baseUrl, apiKey: 'secret', probe, timeoutMs, signal });
}

describe('an engine is ready', () => {
  it('once it is healthy and has answered one small request, made with its key', async () => {
    const seen: string[] = [];
    const baseUrl = await engine((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.statusCode = request.url === '/health' && seen.length < 3 ? 503 : 200;
      response.end('{}');
    });
    await waitFor(baseUrl);
    expect(seen).toEqual([
      'GET /health undefined',
      'GET /health undefined',
      'GET /health undefined',
      'POST /v1/completions Bearer secret',
    ]);
  });

  it('never, when it does not get healthy in time: the failure says so', async () => {
    const baseUrl = await engine((_request, response) => void response.writeHead(503).end());
    await expect(waitFor(baseUrl, 300)).rejects.toMatchObject({ code: 'ENGINE_START_TIMEOUT' });
  });

  it('never, when it is healthy but cannot do its work: what it said is in the failure', async () => {
    const baseUrl = await engine((request, response) => {
      response.statusCode = request.url === '/health' ? 200 : 400;
      response.end('context is too small');
    });
    await expect(waitFor(baseUrl)).rejects.toMatchObject({
      code: 'ENGINE_PROBE_FAILED',
      message: expect.stringMatching(/400: context is too small/),
    });
  });

  it('no longer waited for, once the wait is given up', async () => {
    const wait = new AbortController();
    let asked = 0;
    const baseUrl = await engine((_request, response) => {
      asked += 1;
      response.writeHead(503).end();
      if (asked === 2) wait.abort();
    });
    await expect(waitFor(baseUrl, 60_000, wait.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
