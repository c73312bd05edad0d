import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createMetrics } from '@clew/runtime';
import { Agent } from 'undici';
import { createCallProvider, type ProviderCall } from './call-provider.ts';

let server: Server;
let statuses: number[];
let dispatcher: Agent;

beforeEach(async () => {
  dispatcher = new Agent();
  server = createServer((_request, response) => {
    const status = statuses.shift();
    if (status === undefined) return;
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function setUp(isLocal: boolean, signal: AbortSignal) {
  const metrics = createMetrics('test');
  const callProvider = createCallProvider({ outbound: dispatcher, local: dispatcher, firstRetryDelayMs: 1, metrics });
  const { port } = server.address() as AddressInfo;
  const endpoint = { baseUrl: `http://127.0.0.1:${port}`, headers: {}, isLocal } as ProviderCall['endpoint'];
  const call = () => callProvider({ endpoint, path: '/chat/completions', headers: {}, body: '{}', signal });
  const counted = async () => {
    const lines = (await metrics.metrics())
      .split('\n')
      .filter((line) => line.startsWith('clew_provider_request_duration_seconds_count{'));
    const label = (line: string, name: string) => new RegExp(`${name}="(\\w+)"`).exec(line)?.[1];
    return lines.map((line) => `${label(line, 'where')} ${label(line, 'outcome')} ${line.split(' ').at(-1)}`);
  };
  return { call, counted };
}

it('tells each attempt with how it ended', async () => {
  const { call, counted } = setUp(false, new AbortController().signal);
  statuses = [429, 500, 200];
  (await call()).body.resume();
  expect(await counted()).toEqual(['outside limited 1', 'outside failed 1', 'outside ok 1']);
  statuses = [400];
  await expect(call()).rejects.toThrow();
  expect(await counted()).toContain('outside refused 1');
});

it('tells a call whose caller went away, and one of a provider of this deployment, as such', async () => {
  const caller = new AbortController();
  const { call, counted } = setUp(true, caller.signal);
  statuses = [];
  server.once('request', () => caller.abort());
  await expect(call()).rejects.toThrow();
  expect(await counted()).toEqual(['local cancelled 1']);
});
