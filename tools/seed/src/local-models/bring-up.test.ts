import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { useCleanup } from '@clew/testing';
import { bringUp } from './bring-up.ts';
import { createProjectApi, RefusedError } from './project-api.ts';

const cleanup = useCleanup();
const MODEL = { profiles: [{ id: 'small' }, { id: 'usual', engine: 'llama.cpp' }], selectedProfileId: 'usual' };
const PROFILE = '/v1/projects/prj_1/models/wise/profiles/usual';

interface Runtime {
  engines: object[];
  downloads: object[];
  services: object[];
}

const NOTHING: Runtime = { engines: [], downloads: [], services: [] };
const engine = (state: string, error: object | null = null) => ({ engine: 'llama.cpp', state, error });
const download = (state: string, bytesDone: number) => ({
  ...{ modelId: 'wise', profileId: 'usual', state, error: null },
  ...{ bytesDone, bytesTotal: 100 * 1024 * 1024 },
});
const service = (state: string) => ({ modelId: 'wise', profileId: 'usual', state, error: null });

/** Gateway whose runtime moves to the next of the given states each time it is polled. */
async function gatewayWith(states: readonly Runtime[], refusal?: { path: string; status: number; code: string }) {
  const asked: string[] = [];
  const left = [...states];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const call = `${request.method} ${request.url}`;
    if (request.method !== 'GET') asked.push(call);
    const says = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (refusal !== undefined && request.url === refusal.path) {
      says(refusal.status, { code: refusal.code, message: 'not now' });
    } else if (request.url === '/v1/projects/prj_1/models/wise') says(200, MODEL);
    else if (request.url === '/v1/projects/prj_1/models/runtime') says(200, left.shift() ?? states.at(-1));
    else says(202, {});
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup(() => new Promise((resolve) => server.close(resolve)));
  const gatewayUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signal = new AbortController().signal;
  return { asked, api: createProjectApi({ gatewayUrl, apiKey: 'clew_key', projectId: 'prj_1', signal }) };
}

describe('a local model is brought up', () => {
  it('from nothing: engine, files, service, each once the one before it is there, and tells of each change', async () => {
    const engines = [engine('ready')];
    const downloads = [download('completed', 100 * 1024 * 1024)];
    const { api, asked } = await gatewayWith([
      NOTHING,
      { ...NOTHING, engines: [engine('installing')] },
      { ...NOTHING, engines },
      { ...NOTHING, engines, downloads: [download('running', 30 * 1024 * 1024)] },
      { ...NOTHING, engines, downloads: [download('running', 40 * 1024 * 1024)] },
      { ...NOTHING, engines, downloads },
      { engines, downloads, services: [service('starting')] },
      { engines, downloads, services: [service('ready')] },
    ]);
    const told: string[] = [];
    await bringUp(api, 'wise', { tell: (line) => told.push(line), pollMs: 1 });
    expect(asked).toEqual([
      'POST /v1/projects/prj_1/models/engines/llama.cpp/installations',
      `POST ${PROFILE}/downloads`,
      `PUT ${PROFILE}/service`,
    ]);
    expect(told).toEqual([
      'llama.cpp is installed: waits',
      'llama.cpp is installed: installing',
      'llama.cpp is installed: ready',
      'wise is fetched: running, 25% of 100 MiB',
      'wise is fetched: completed, 100% of 100 MiB',
      'wise is started: starting',
      'wise is started: ready',
    ]);
  });

  it('not at all where its engine cannot be installed, and says why', async () => {
    const failed = engine('failed', { code: 'X', message: 'no registry can be reached' });
    const { api, asked } = await gatewayWith([{ ...NOTHING, engines: [failed] }]);
    await expect(bringUp(api, 'wise', { tell: () => undefined, pollMs: 1 })).rejects.toThrow(
      'llama.cpp is installed: no registry can be reached',
    );
    expect(asked).toHaveLength(1);
  });

  it('not at all where a call is refused, and says which', async () => {
    const path = '/v1/projects/prj_1/models/engines/llama.cpp/installations';
    const { api } = await gatewayWith([NOTHING], { path, status: 503, code: 'MODEL_RUNTIME_UNAVAILABLE' });
    const refused = bringUp(api, 'wise', { tell: () => undefined, pollMs: 1 });
    await expect(refused).rejects.toThrow(RefusedError);
    await expect(refused).rejects.toMatchObject({ status: 503, code: 'MODEL_RUNTIME_UNAVAILABLE' });
  });
});
