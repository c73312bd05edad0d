import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { holdingModel } from '@clew/model-runtime';
import type { AgentChild } from '@clew/testing-model-runtime';
import { at, download, install, start } from '../test-support/runtime-calls.ts';
import { useTestRuntime, type RuntimeUser, type TestRuntime } from '../test-support/runtime-service.ts';

// The tests decide when there is an agent, so that they see the time between a DELETE and its end.
const current = useTestRuntime({ agent: false });
let runtime: TestRuntime;
let agent: AgentChild;

beforeAll(async () => {
  runtime = current();
  agent = await runtime.startAgent();
});

const del = (user: RuntimeUser, path: string) => user.call({ method: 'DELETE', path });

async function whileTheAgentIsAway(work: () => Promise<void>): Promise<void> {
  await agent.kill();
  await runtime.endClaim();
  try {
    await work();
  } finally {
    agent = await runtime.startAgent();
  }
}

async function untilGone(user: RuntimeUser, path: string): Promise<void> {
  await eventually(async () => expect((await del(user, path)).status).toBe(204), { timeoutMs: 20_000 });
}

async function prepared(): Promise<RuntimeUser> {
  const user = runtime.user();
  await user.prepareModel('tiny-removed');
  return user;
}

/** Things that can be removed, each with a function that creates it and returns its path. */
const things: [name: string, make: () => Promise<{ user: RuntimeUser; path: string; left: object }>][] = [
  [
    'an engine',
    async () => {
      const user = runtime.user();
      await install(user, 'faster-whisper');
      return { user, path: '/engines/faster-whisper', left: { engine: 'faster-whisper', state: 'removing' } };
    },
  ],
  [
    'an installation',
    async () => {
      const user = runtime.user();
      const { generation } = (await install(user, 'faster-whisper')).body;
      const path = `/engines/faster-whisper/installations/${generation}`;
      return { user, path, left: { engine: 'faster-whisper', state: 'removing', generation } };
    },
  ],
  [
    'a download',
    async () => {
      const user = await prepared();
      const { generation } = (await download(user, 'tiny-removed')).body;
      const path = at('tiny-removed', `/downloads/${generation}`);
      return { user, path, left: { modelId: 'tiny-removed', state: 'removing', generation } };
    },
  ],
  [
    'a service',
    async () => {
      const user = await prepared();
      await start(user, 'tiny-removed');
      const path = at('tiny-removed', '/service');
      return { user, path, left: { modelId: 'tiny-removed', state: 'stopping' } };
    },
  ],
  [
    'a profile',
    async () => {
      const user = await prepared();
      await start(user, 'tiny-removed');
      const left = { service: { state: 'stopping' }, download: { state: 'removing' } };
      return { user, path: at('tiny-removed'), left };
    },
  ],
];

describe('the removal of what the project has', () => {
  it.each(things)('%s: 202 while it runs, 204 when it is gone, as often as it is asked for', async (_name, make) => {
    const { user, path, left } = await make();
    await whileTheAgentIsAway(async () => {
      expect(await del(user, path)).toMatchObject({ status: 202, body: left });
      expect(await del(user, path)).toMatchObject({ status: 202, body: left });
    });
    await untilGone(user, path);
    expect(await del(user, path)).toMatchObject({ status: 204, text: '' });
    await del(user, at('tiny-removed'));
    await del(user, '/engines/llama.cpp');
  });

  it('is known when nothing else of it is known any more', async () => {
    const user = runtime.user();
    const { generation } = (await install(user, 'faster-whisper')).body;
    const path = `/engines/faster-whisper/installations/${generation}`;
    await whileTheAgentIsAway(async () => {
      await del(user, path);
      await holdingModel(runtime.database.connection).deleteMany({ projectId: user.projectId });
      expect(await del(user, path)).toMatchObject({ status: 202, body: { state: 'removing', generation } });
    });
    await untilGone(user, path);
    await holdingModel(runtime.database.connection).deleteMany({ projectId: user.projectId });
    expect((await del(user, path)).status).toBe(204);
    expect((await del(user, '/engines/faster-whisper')).status).toBe(204);
  });

  it('is done at once where another project keeps the thing', async () => {
    const [first, second] = [runtime.user(), runtime.user()];
    for (const user of [first, second]) await user.startModel('tiny-kept');
    for (const path of [at('tiny-kept', '/service'), at('tiny-kept'), '/engines/llama.cpp']) {
      expect({ path, status: (await del(first, path)).status }).toEqual({ path, status: 204 });
    }
    expect((await second.runtime()).services).toEqual([expect.objectContaining({ state: 'ready' })]);
    await del(second, at('tiny-kept'));
    await untilGone(second, at('tiny-kept'));
    await del(second, '/engines/llama.cpp');
  });
});

describe('the removal of what the project does not have', () => {
  it.each(['', '/service', '/downloads/1'])('of an unknown model or profile is 404 with its code: %s', async (rest) => {
    const user = runtime.user();
    expect(await del(user, `/nothing/profiles/q4${rest}`)).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
    expect(await del(user, `/tiny/profiles/q9${rest}`)).toMatchObject({
      status: 404,
      body: { code: 'PROFILE_NOT_FOUND' },
    });
  });

  it.each(['/engines/vllm', at('tiny'), at('tiny', '/service')])('of a known name is 204: %s', async (path) => {
    expect(await del(runtime.user(), path)).toMatchObject({ status: 204, text: '' });
  });

  it.each(['/engines/vllm/installations/1', at('tiny', '/downloads/1')])(
    'of a generation that it never had is 404, whatever others have: %s',
    async (path) => {
      const [user, other] = [runtime.user(), runtime.user()];
      const make = () => (path.startsWith('/engines') ? install(other, 'vllm') : download(other, 'tiny'));
      const { generation } = (await make()).body;
      const named = path.replace(/\d+$/, String(generation));
      expect(await del(user, named)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect((await del(other, named)).status).toBe(202);
    },
  );
});

describe('an older generation', () => {
  it.each([
    ['of an engine', (user: RuntimeUser) => install(user, 'vllm'), '/engines/vllm/installations'],
    ['of a download', (user: RuntimeUser) => download(user, 'tiny'), at('tiny', '/downloads')],
  ] as const)('%s is 409 while there is a newer one, and gone once that is gone too', async (_name, make, path) => {
    const user = runtime.user();
    const old = (await make(user)).body.generation;
    expect((await del(user, `${path}/${old}`)).status).toBe(202);
    const { generation } = (await make(user)).body;
    expect(generation).toBeGreaterThan(old);
    expect(await del(user, `${path}/${old}`)).toMatchObject({ status: 409, body: { code: 'GENERATION_SUPERSEDED' } });
    expect(await del(user, `${path}/${generation + 1}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await del(user, `${path}/${generation}`)).status).toBe(202);
    expect((await del(user, `${path}/${old}`)).status).toBe(204);
    expect(await del(user, `${path}/${generation + 1}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    await untilGone(user, `${path}/${generation}`);
  });
});
