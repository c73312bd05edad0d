import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../system/ports.ts';
import { pollUntil } from '../system/waiting.ts';
import { openFront } from './front.ts';
import type { Front } from './front.ts';

interface Replica {
  url: string;
  isReady: boolean;
  server: http.Server;
}

/** Starts a replica that answers with its name, and whose readiness the test controls. */
async function startReplica(name: string): Promise<Replica> {
  const replica: Replica = { url: '', isReady: true, server: http.createServer() };
  replica.server.on('request', (request, response) => {
    if (request.url === '/readyz') response.statusCode = replica.isReady ? 200 : 503;
    response.end(name);
  });
  replica.server.listen(0, '127.0.0.1');
  await once(replica.server, 'listening');
  replica.url = `http://127.0.0.1:${(replica.server.address() as AddressInfo).port}`;
  return replica;
}

let front: Front;
let replicas: Replica[];
let agent: http.Agent;

beforeEach(async () => {
  replicas = [await startReplica('a'), await startReplica('b')];
  front = await openFront(await findFreePort());
  for (const { url } of replicas) front.add(url);
  agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  agent.destroy();
  await front.close();
  for (const { server } of replicas) {
    server.close();
    server.closeAllConnections();
  }
});

function ask(options: http.RequestOptions = { agent: false }): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get(front.url, options, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    });
    request.once('error', reject);
  });
}

const whoAnswers = async () => [...new Set([await ask(), await ask(), await ask(), await ask()])].sort();

async function untilAnsweredBy(...names: string[]): Promise<void> {
  const isSo = async () => (await whoAnswers()).join() === names.join();
  await pollUntil(isSo, { intervalMs: 20, signal: AbortSignal.timeout(10_000) });
}

describe('a front', () => {
  it('passes connections to all that are ready, and to no other', async () => {
    expect(await whoAnswers()).toEqual(['a', 'b']);
    replicas[0]!.isReady = false;
    await untilAnsweredBy('b');
    replicas[0]!.isReady = true;
    await untilAnsweredBy('a', 'b');
  });

  it('keeps the connections of one that leaves, and gives it no new one', async () => {
    const first = await ask({ agent });
    front.leave(replicas[first === 'a' ? 0 : 1]!.url);
    expect(await ask({ agent })).toBe(first);
    expect(await whoAnswers()).toEqual([first === 'a' ? 'b' : 'a']);
  });

  it('loses what was on its way to one that was killed, once', async () => {
    const [killed] = replicas;
    killed!.server.close();
    killed!.server.closeAllConnections();
    const answers = await Promise.allSettled([ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await whoAnswers()).toEqual(['b']);
  });

  it('turns callers away while none is ready', async () => {
    for (const { url } of replicas) front.leave(url);
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
