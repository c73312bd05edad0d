import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLease } from '@clew/persistence';
import { eventually } from '@clew/testing';
import { runningPids, variableOf, NONCE_VARIABLE } from '../engine-host/index.ts';
import { createResourceStore } from '../resources/index.ts';
import type { AgentChild } from '../test-support/agent-child.ts';
import { PROFILE } from '../test-support/models.ts';
import { useTestRuntime, type TestRuntime } from '../test-support/runtime-service.ts';
import { ENGINE_HOSTS, ENGINE_USER, isRoot } from '../test-support/engine-hosts.ts';

const userOf = (pid: number) => statSync(`/proc/${pid}`).uid;

describe.each(ENGINE_HOSTS)('engines %s:', (engines) => {
  const current = useTestRuntime({ engines, agent: false, installMs: 400, fetchMs: 400 });
  let runtime: TestRuntime;
  let agent: AgentChild | undefined;

  beforeAll(() => {
    runtime = current();
  });

  /**
   * Returns the agent that the previous test left running, or a new one: a start takes seconds, most of them spent
   * waiting for the lease of a dead agent.
   */
  async function someAgent(): Promise<AgentChild> {
    return (agent ??= await runtime.startAgent());
  }

  async function noAgent(): Promise<void> {
    await agent?.kill();
    agent = undefined;
  }

  const profile = (modelId: string, rest = '') => `/${modelId}/profiles/${PROFILE}${rest}`;
  const records = () => readdir(join(runtime.home, 'processes'));

  /** Counts the running engines of this test's node. */
  async function running(): Promise<number[]> {
    const nonces = (await records()).map((name) => name.replace('.json', ''));
    return runningPids().filter((pid) => nonces.some((nonce) => variableOf(pid, NONCE_VARIABLE)?.startsWith(nonce)));
  }

  describe('an agent that is killed', () => {
    it('while it installs and fetches: the next one finishes both, as the same generation', async () => {
      const first = await someAgent();
      const user = runtime.user();
      await user.call({ method: 'POST', path: '/engines/llama.cpp/installations' });
      await user.call({ method: 'POST', path: profile('tiny', '/downloads') });
      const { generation } = await user.untilEngine('llama.cpp', 'installing');
      await first.kill();
      agent = await runtime.startAgent();
      expect(await user.untilEngine('llama.cpp', 'ready')).toMatchObject({ generation });
      await user.untilDownload('tiny', 'completed');
      await user.call({ method: 'DELETE', path: profile('tiny') });
      await user.call({ method: 'DELETE', path: '/engines/llama.cpp' });
    });

    it('while a service runs: its engine dies with it, and the next agent starts the service again', async () => {
      const first = await someAgent();
      const user = runtime.user();
      const { generation } = await user.startModel('tiny');
      const before = await running();
      expect(before).toHaveLength(1);
      await first.kill();
      await eventually(async () => expect(await running()).toEqual([]));
      agent = await runtime.startAgent();
      await eventually(async () => {
        expect(await running()).toHaveLength(1);
        expect(await running()).not.toEqual(before);
      });
      expect(await user.untilService('tiny', 'ready')).toMatchObject({ generation });
      await user.call({ method: 'DELETE', path: profile('tiny') });
      await user.untilService('tiny', 'stopped');
      expect(await records()).toEqual([]);
      await user.call({ method: 'DELETE', path: '/engines/llama.cpp' });
    });

    it('loses nothing that was asked for while no agent ran', async () => {
      await noAgent();
      const user = runtime.user();
      await user.call({ method: 'POST', path: '/engines/faster-whisper/installations' });
      expect((await user.runtime()).engines[2]).toMatchObject({ state: 'queued' });
      agent = await runtime.startAgent();
      await user.untilEngine('faster-whisper', 'ready');
      await user.call({ method: 'DELETE', path: '/engines/faster-whisper' });
    });
  });

  describe('the agent of a node', () => {
    it('stops a service that nobody uses, and the next call starts it again', async () => {
      await someAgent();
      const user = runtime.user();
      await user.startModel('tiny', { idleTimeoutMs: 1_000 });
      expect(await user.untilService('tiny', 'stopped')).toMatchObject({ stopReason: 'idle' });
      expect(await running()).toEqual([]);
      const body = {
        path: '/v1/completions',
        contentType: 'application/json',
        body: { model: 'self/tiny', prompt: 'a' },
      };
      expect(await user.call({ method: 'POST', path: profile('tiny', '/trials'), body })).toMatchObject({
        status: 200,
      });
      await user.call({ method: 'DELETE', path: profile('tiny') });
      await user.untilService('tiny', 'stopped');
      await user.call({ method: 'DELETE', path: '/engines/llama.cpp' });
    });

    it('runs engines as another user than its own, who sees nothing of its environment', async () => {
      const { pid: agentPid } = await someAgent();
      const user = runtime.user();
      await user.startModel('tiny');
      const [enginePid = 0] = await running();
      expect(isRoot ? userOf(enginePid) : ENGINE_USER.uid).toBe(ENGINE_USER.uid);
      expect(userOf(agentPid)).not.toBe(ENGINE_USER.uid);
      expect(variableOf(agentPid, 'AGENT_SETTINGS')).toContain('authSecret');
      expect(variableOf(enginePid, 'AGENT_SETTINGS')).toBeUndefined();
      expect(variableOf(enginePid, 'HOME')).toContain(join(runtime.home, 'tmp'));
      await user.call({ method: 'DELETE', path: profile('tiny') });
      await user.untilService('tiny', 'stopped');
      await user.call({ method: 'DELETE', path: '/engines/llama.cpp' });
    });

    it('that is told to end lets its engines finish what they answer, and sends them nothing new', async () => {
      const ending = await someAgent();
      agent = undefined;
      const user = runtime.user();
      await user.startModel('tiny');
      const { baseUrl = '', apiKey = '' } = (await runtime.runtime.running.endpointOf(user.projectId, 'tiny')) ?? {};
      const ask = (prompt: string) =>
        fetch(`${baseUrl}/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({ prompt }),
        });
      const answered = ask('work');
      const ended = ending.stop();
      await user.untilService('tiny', 'starting');
      expect(await running()).toHaveLength(1);
      expect((await ask('enough')).status).toBe(200);
      expect((await answered).status).toBe(200);
      expect(await ended).toBe(0);
      expect(await running()).toEqual([]);
      await someAgent();
      await user.untilService('tiny', 'ready');
      await user.call({ method: 'DELETE', path: profile('tiny') });
      await user.untilService('tiny', 'stopped');
      await user.call({ method: 'DELETE', path: '/engines/llama.cpp' });
    });

    it('is one at a time: another waits until it has the node', async () => {
      await noAgent();
      const lease = createLease(runtime.database, 'runtime-agent:node-1', 60_000);
      await eventually(async () => expect(await lease.acquire()).toBe(true));
      let started = false;
      const starting = runtime.startAgent().then((child) => {
        started = true;
        return child;
      });
      const user = runtime.user();
      await user.call({ method: 'POST', path: '/engines/llama.cpp/installations' });
      await eventually(async () => expect(await lease.acquire()).toBe(true));
      expect(started).toBe(false);
      expect((await user.runtime()).engines[0]?.state).toBe('queued');
      await lease.release();
      agent = await starting;
      await user.untilEngine('llama.cpp', 'ready');
      await user.call({ method: 'DELETE', path: '/engines/llama.cpp' });
    });

    it('that was taken over writes nothing any more', async () => {
      await noAgent();
      const user = runtime.user();
      await user.call({ method: 'POST', path: '/engines/vllm/installations' });
      const store = createResourceStore(runtime.database);
      const resource = await store.get('node-1/engine/vllm');
      const old = await store.claim(resource!, resource!.claimEpoch + 1, 1);
      const fresh = await store.claim(resource!, resource!.claimEpoch + 2, 2);
      expect(fresh).toBeDefined();
      expect(await store.succeed(old!.fence, { version: 'stale' }, true, 3)).toBe(false);
      expect(await store.report(old!.fence, { stage: 'stale' }, 3)).toBe(false);
      expect(await store.fail(old!.resource, old!.fence, { code: 'STALE', message: '' }, 'never', 3)).toBe(false);
      expect(await store.removed(old!.fence, 3)).toBe(false);
      expect(await store.claim(resource!, resource!.claimEpoch + 1, 4)).toBeUndefined();
      expect(await store.report(fresh!.fence, { stage: 'fresh' }, 5)).toBe(true);
      await user.call({ method: 'DELETE', path: '/engines/vllm' });
      expect(await store.succeed(fresh!.fence, {}, true, 6)).toBe(false);
    });
  });
});

describe('a supervisor of engines that is killed', () => {
  const current = useTestRuntime({ agent: false, engines: 'in a container of their own' });

  it('takes its engines along, and the next one runs the service again', async () => {
    const runtime = current();
    const user = runtime.user();
    await runtime.startAgent();
    const { generation } = await user.startModel('tiny');
    await runtime.killSupervisor();
    const failed = await user.untilService('tiny', 'failed');
    expect(failed).toMatchObject({ generation, error: { code: 'ENGINE_EXITED' } });
    await runtime.startSupervisor();
    expect(await user.untilService('tiny', 'ready')).toMatchObject({ generation });
  });
});
