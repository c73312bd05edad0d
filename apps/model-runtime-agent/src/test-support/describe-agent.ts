import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLease } from '@clew/persistence';
import { eventually } from '@clew/testing';
import { ENGINE_USER, isRoot, type AgentChild, type EngineHostKind } from '@clew/testing-model-runtime';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { runningPids, variableOf, NONCE_VARIABLE } from '../engine-host/index.ts';
import { NODE, useTestNode, type TestNode } from './test-node.ts';

const userOf = (pid: number) => statSync(`/proc/${pid}`).uid;

/** Declares the tests of an agent that hold for each way in which engines run. */
export function describeAgent(engines: EngineHostKind): void {
  const current = useTestNode({ engines });
  let node: TestNode;
  let agent: AgentChild | undefined;

  beforeAll(() => {
    node = current();
  });

  afterEach(() => node.giveAllBack());

  /** Returns the agent that the previous test left running, or a new one, whose start takes a while. */
  async function someAgent(): Promise<AgentChild> {
    return (agent ??= await node.startAgent());
  }

  async function noAgent(): Promise<void> {
    await agent?.kill();
    agent = undefined;
  }

  const records = () => readdir(join(node.home, 'processes'));

  /** Lists the running engines of this test's node. */
  async function running(): Promise<number[]> {
    const nonces = (await records()).map((name) => name.replace('.json', ''));
    return runningPids().filter((pid) => nonces.some((nonce) => variableOf(pid, NONCE_VARIABLE)?.startsWith(nonce)));
  }

  describe('an agent that is killed', () => {
    it('while it installs and fetches: the next one finishes both, as the same generation', async () => {
      await noAgent();
      const first = await node.startAgent({ installMs: 400, fetchMs: 400 });
      const engine = await node.wantEngine('llama.cpp');
      const artifact = await node.wantArtifact('tiny');
      const { generation } = await node.until(engine, 'working');
      await first.kill();
      agent = await node.startAgent();
      expect(await node.until(engine, 'ready')).toMatchObject({ generation });
      await node.until(artifact, 'ready');
    });

    it('while a service runs: its engine dies with it, and the next agent starts the service again', async () => {
      const first = await someAgent();
      const service = await node.startModel('tiny');
      const before = await running();
      expect(before).toHaveLength(1);
      await first.kill();
      await eventually(async () => expect(await running()).toEqual([]));
      agent = await node.startAgent();
      await eventually(async () => {
        expect(await running()).toHaveLength(1);
        expect(await running()).not.toEqual(before);
      });
      const { generation } = service;
      expect(await node.until(service, 'ready')).toMatchObject({ generation });
      await node.giveBack(service);
      await node.until(service, 'removed');
      expect(await records()).toEqual([]);
    });

    it('loses nothing that was asked for while no agent ran', async () => {
      await noAgent();
      const engine = await node.wantEngine('faster-whisper');
      expect(await node.until(engine, 'queued')).toMatchObject({ settled: false });
      agent = await node.startAgent();
      await node.until(engine, 'ready');
    });
  });

  describe('the agent of a node', () => {
    it('stops a service that nobody uses, and starts it when it is wanted again', async () => {
      await someAgent();
      const service = await node.startModel('tiny', 1_000);
      expect(await node.until(service, 'removed')).toMatchObject({ stopReason: 'idle', settled: true });
      expect(await running()).toEqual([]);
      const again = await node.startModel('tiny');
      expect(again.generation).toBe(service.generation + 1);
      expect((await node.ask(again, 'a')).status).toBe(200);
    });

    it('runs engines as another user than its own, who sees nothing of its environment', async () => {
      const { pid: agentPid } = await someAgent();
      await node.startModel('tiny');
      const [enginePid = 0] = await running();
      expect(isRoot ? userOf(enginePid) : ENGINE_USER.uid).toBe(ENGINE_USER.uid);
      expect(userOf(agentPid)).not.toBe(ENGINE_USER.uid);
      expect(variableOf(agentPid, 'AGENT_SETTINGS')).toContain('authSecret');
      expect(variableOf(enginePid, 'AGENT_SETTINGS')).toBeUndefined();
      expect(variableOf(enginePid, 'HOME')).toContain(join(node.home, 'tmp'));
    });

    it('that is told to end lets its engines finish what they answer, and sends them nothing new', async () => {
      const ending = await someAgent();
      agent = undefined;
      const service = await node.startModel('tiny');
      const answered = node.ask(service, 'work');
      const ended = ending.stop();
      await node.until(service, 'queued');
      expect(await running()).toHaveLength(1);
      expect((await node.ask(service, 'enough')).status).toBe(200);
      expect((await answered).status).toBe(200);
      expect(await ended).toBe(0);
      expect(await running()).toEqual([]);
      await someAgent();
      await node.until(service, 'ready');
    });

    it('is one at a time: another waits until it has the node', async () => {
      await noAgent();
      const lease = createLease(node.database, `runtime-agent:${NODE}`, 60_000);
      await eventually(async () => expect(await lease.acquire()).toBe(true));
      let started = false;
      const starting = node.startAgent().then((child) => {
        started = true;
        return child;
      });
      const engine = await node.wantEngine('llama.cpp');
      await eventually(async () => expect(await lease.acquire()).toBe(true));
      expect(started).toBe(false);
      await node.until(engine, 'queued');
      await lease.release();
      agent = await starting;
      await node.until(engine, 'ready');
    });
  });
}
