import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@clew/kernel';
import { loopbackOutbound } from '@clew/testing/issue-trackers';
import { openTracker } from '../open-tracker.ts';
import { call, DRAFT, MARKER } from '../test-support/trackers.ts';
import { TrackerConnection } from '../tracker/connection.ts';

const TOKEN = 'github_pat_11AAAAAAA0aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function trackerTo(baseUrl: string) {
  const outbound = loopbackOutbound();
  cleanups.push(() => outbound.close());
  const destination = { owner: 'acme', repo: 'shop' };
  const connection = TrackerConnection.parse({
    provider: 'github',
    baseUrl,
    credentials: { token: TOKEN },
    destination,
  });
  return openTracker(connection, { fetch: outbound.fetch, clock: systemClock });
}

const answering = (status: number, body: string, headers = {}) =>
  serve((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
  );

describe('a call to an issue tracker', () => {
  it.each(['http://127.0.0.2:9', 'http://169.254.169.254', 'http://[::1]:9'])(
    'is refused where it may not go (%s), without the address in the message',
    async (baseUrl) => {
      const outcome = await trackerTo(baseUrl).create(DRAFT, MARKER, call());
      expect(outcome).toMatchObject({ kind: 'refused', reason: 'address' });
      expect(JSON.stringify(outcome)).not.toMatch(/127|169|::1/);
    },
  );

  it('gives the token to no other server that it is sent on to', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const home = await answering(301, '{}', { location: `${other}/api/v3/repositories/1/issues/1` });
    expect(await trackerTo(home).read('acme/shop#1', call())).toMatchObject({ kind: 'refused', reason: 'address' });
    expect(await trackerTo(home).create(DRAFT, MARKER, call())).toMatchObject({ kind: 'refused' });
    expect(seen).toEqual([]);
  });

  it('ends where a server sends it in a circle', async () => {
    let requests = 0;
    const url: string = await serve((request, response) => {
      requests += 1;
      response.writeHead(301, { location: `http://${request.headers.host}/api/v3/repositories/1/issues/1` }).end();
    });
    expect(await trackerTo(url).read('acme/shop#1', call())).toMatchObject({ kind: 'later' });
    expect(requests).toBeLessThan(10);
  });

  it('reads no answer that is too long to be held in memory', async () => {
    const piece = 'x'.repeat(1024 * 1024);
    const url = await serve((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      const write = (): boolean => response.destroyed || (response.write(piece) && write());
      response.on('drain', write);
      write();
    });
    expect(await trackerTo(url).read('acme/shop#1', call())).toMatchObject({ kind: 'later', reason: 'unavailable' });
    expect(await trackerTo(url).create(DRAFT, MARKER, call())).toMatchObject({ kind: 'unknown' });
  });

  it('repeats what the provider says, but neither its token nor other secrets, nor more than a line', async () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const message = `Bad ${TOKEN}\nand ${secret} <b>now</b>\u202e ${'long '.repeat(200)}`;
    const url = await answering(422, JSON.stringify({ message, errors: [{ message: 'body is too long' }] }));
    const outcome = await trackerTo(url).create(DRAFT, MARKER, call());
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: 'content',
      message: expect.stringMatching(/^GitHub rejects the request\. It says: Bad /),
    });
    const text = JSON.stringify(outcome);
    expect([text.includes(TOKEN), text.includes(secret), /\\n|\u202e/.test(text), text.length < 400]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it.each([408, 500, 502, 503, 504, 599])('that changes something is unknown after the status %i', async (status) => {
    const url = await answering(status, '{"message": "Try again"}');
    expect(await trackerTo(url).create(DRAFT, MARKER, call())).toMatchObject({ kind: 'unknown' });
    expect(await trackerTo(url).read('acme/shop#1', call())).toMatchObject({ kind: 'later', reason: 'unavailable' });
  });

  it('is judged by its status where the rest of a refusal is cut off', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(422, { 'content-length': '100' });
      response.write('{"mess', () => response.destroy());
    });
    expect(await trackerTo(url).create(DRAFT, MARKER, call())).toMatchObject({ kind: 'refused', reason: 'content' });
  });

  it('ends at its deadline, over all of its requests', async () => {
    const url = await serve((request, response) => {
      if (request.url?.includes('/repositories/') === true) return;
      response.writeHead(301, { location: `http://${request.headers.host}/api/v3/repositories/1/issues/1` }).end();
    });
    const startMs = performance.now();
    const outcome = await trackerTo(url).read('acme/shop#1', call({ deadlineMs: 200 }));
    expect(outcome).toMatchObject({ kind: 'later', reason: 'unavailable' });
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it.each(['', 'acme/shop', 'acme/shop#0', '../..#1', 'acme/..#1', '1'])(
    'about %j, which is no id of an issue, is not sent',
    async (id) => {
      let requests = 0;
      const url = await serve((_request, response) => response.end(`{"requests": ${(requests += 1)}}`));
      expect(await trackerTo(url).read(id, call())).toMatchObject({ kind: 'refused', reason: 'content' });
      expect(
        await trackerTo(url).comment(id, { body: DRAFT.body, marker: MARKER, mayExist: true }, call()),
      ).toMatchObject({ kind: 'refused' });
      expect(requests).toBe(0);
    },
  );
});
