import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { newId, type AppError } from '@clew/kernel';
import { defineRoute, streamed } from '@clew/contracts';
import { createIdentitySigner } from './identity/signer.ts';
import { createIdentityVerifier } from './identity/verifier.ts';
import type { Caller } from './caller.ts';
import { listen, type RunningServer } from './server.ts';
import { createServiceClient } from './service-client.ts';

const readThing = defineRoute({
  operationId: 'readThing',
  service: 'telemetry-warehouse',
  method: 'post',
  path: '/internal/projects/:projectId/things/:thingId',
  tag: 'Things',
  summary: 'Read',
  access: { kind: 'internal', services: ['jobs-worker'] },
  params: z.object({ projectId: z.string(), thingId: z.string() }),
  body: z.object({ full: z.boolean() }),
  responses: { 200: z.object({ name: z.string() }) },
});

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(
    running.splice(0).map(({ server, stop }) => {
      server.closeAllConnections();
      return stop();
    }),
  );
});

async function clientOf(listener: RequestListener, timeoutMs = 10_000) {
  const server = await listen(createServer(listener), { host: '127.0.0.1', port: 0 });
  running.push(server);
  return createServiceClient({
    baseUrl: `http://127.0.0.1:${server.port}`,
    serviceName: 'jobs-worker',
    sign: createIdentitySigner('jobs-worker', privateKey),
    timeoutMs,
  });
}

const call = { params: { projectId: 'prj_1', thingId: 'a/b c' }, body: { full: true }, requestId: newId('req') };

const readThings = defineRoute({
  ...readThing,
  operationId: 'readThings',
  responses: { 200: streamed({ 'application/x-ndjson': z.object({ name: z.string() }) }) },
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'no error',
    (error: AppError) => error.code,
  );
}

describe('a service client', () => {
  it('calls a route by its spec, in its own name, and gives the parsed answer', async () => {
    const verify = createIdentityVerifier('telemetry-warehouse', new Map([['jobs-worker', publicKey]]));
    let seen: { url?: string | undefined; caller?: Caller | undefined; id?: unknown } = {};
    const client = await clientOf((request, response) => {
      seen = { url: request.url, caller: verify(request) as Caller, id: request.headers['x-service-request-id'] };
      response.end('{"name":"a","more":1}');
    });
    expect(await client.call(readThing, call)).toEqual({ name: 'a' });
    expect(seen).toEqual({
      url: '/internal/projects/prj_1/things/a%2Fb%20c',
      caller: { principal: { kind: 'service', id: 'jobs-worker' } },
      id: call.requestId,
    });
  });

  it('sends a query, without what is undefined in it', async () => {
    const asking = defineRoute({
      ...readThing,
      query: z.strictObject({ model: z.string(), purpose: z.string().optional() }),
    });
    let url: string | undefined;
    const client = await clientOf((request, response) => {
      url = request.url;
      response.end('{"name":"a"}');
    });
    await client.call(asking, { ...call, query: { model: 'a/b c&d', purpose: undefined } });
    expect(url).toBe('/internal/projects/prj_1/things/a%2Fb%20c?model=a%2Fb+c%26d');
  });

  it('passes on an error that the service meant', async () => {
    const client = await clientOf((_request, response) => {
      response.writeHead(404).end('{"code":"CONVERSATION_NOT_FOUND","message":"Not found"}');
    });
    expect(await codeOf(client.call(readThing, call))).toBe('CONVERSATION_NOT_FOUND');
  });

  it.each<[string, RequestListener]>([
    ['a 500', (_request, response) => response.writeHead(500).end('{"code":"INTERNAL_ERROR","message":"m"}')],
    ['a code under another status', (_request, response) => response.writeHead(400).end('{"code":"NOT_FOUND"}')],
    ['a code that is none', (_request, response) => response.writeHead(400).end('{"code":"HUH"}')],
    ['what is no JSON', (_request, response) => response.end('<html>')],
    ['a status that the spec does not declare', (_request, response) => response.writeHead(202).end('{}')],
    ['nothing, by a cut', (request) => request.socket.destroy()],
    ['nothing, in time', () => undefined],
  ])('calls the service unavailable that answers %s', async (_name, listener) => {
    const client = await clientOf(listener, 200);
    expect(await codeOf(client.call(readThing, call))).toBe('UPSTREAM_UNAVAILABLE');
  });
});

describe('an answer in lines', () => {
  async function namesOf(lines: AsyncIterable<{ name: string }>): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of lines) names.push(name);
    return names;
  }

  it('gives one value a line, wherever the pieces that come are cut', async () => {
    const text = Buffer.from('{"name":"é"}\n{"name":"b"}\n{"name":"c"}');
    const client = await clientOf(async (_request, response) => {
      for (const byte of text) {
        response.write(Buffer.of(byte));
        await nextTurn();
      }
      response.end();
    });
    expect(await namesOf(client.lines(readThings, call))).toEqual(['é', 'b', 'c']);
  });

  it('is not read further than it is taken, and not at all once nobody takes it', async () => {
    const line = `${JSON.stringify({ name: 'x'.repeat(100_000) })}\n`;
    let written = 0;
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const client = await clientOf(async (_request, response) => {
      response.on('close', close);
      for (; written < 1_000 && !response.destroyed; written += 1) {
        if (!response.write(line)) await Promise.race([once(response, 'drain'), closed]);
      }
    });
    for await (const { name } of client.lines(readThings, call)) {
      expect(name).toHaveLength(100_000);
      break;
    }
    await closed;
    expect(written).toBeLessThan(500);
  });

  it('ends with an error at a line that is none of its values, or goes on without it where that is wanted', async () => {
    const answers = '{"name":"a"}\n{"name":7}\nno JSON\n{"name":"much too long"}\n{"name":"b"}\n';
    const client = await clientOf((_request, response) => void response.end(answers));
    await expect(namesOf(client.lines(readThings, call))).rejects.toThrow();
    const problems: Error[] = [];
    const onRefused = (problem: Error) => void problems.push(problem);
    expect(await namesOf(client.lines(readThings, call, { maxLineBytes: 15, onRefused }))).toEqual(['a', 'b']);
    expect(problems).toHaveLength(3);
  });

  it('passes on an error that the service meant', async () => {
    const client = await clientOf((_request, response) => void response.writeHead(404).end('{"code":"NOT_FOUND"}'));
    expect(await codeOf(namesOf(client.lines(readThings, call)))).toBe('NOT_FOUND');
  });

  it.each<[string, RequestListener]>([
    ['is cut off', (_request, response) => void response.write('{"name":"a"}\n', () => response.destroy())],
    ['does not go on', (_request, response) => void response.write('{"name":"a"}\n')],
    ['does not come', () => undefined],
    ['is another one than declared', (_request, response) => void response.writeHead(202).end('{"name":"a"}')],
  ])('that %s makes the service unavailable', async (_name, listener) => {
    const client = await clientOf(listener, 200);
    expect(await codeOf(namesOf(client.lines(readThings, call)))).toBe('UPSTREAM_UNAVAILABLE');
  });

  it('ends when it is no longer wanted', async () => {
    const client = await clientOf((_request, response) => void response.write('{"name":"a"}\n'), 60_000);
    const unwanted = new AbortController();
    const lines = client.lines(readThings, call, { signal: unwanted.signal });
    expect(await lines.next()).toEqual({ done: false, value: { name: 'a' } });
    unwanted.abort();
    await expect(lines.next()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });
});
