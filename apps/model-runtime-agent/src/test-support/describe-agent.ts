import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLease } from '@clew/persistence';
import { eventually } from '@clew/testing';
import { ENGINE_USER, isRoot, type AgentChild, type EngineHostKind } from '@clew/testing-model-runtime';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runningPids, variableOf, NONCE_VARIABLE } from '../engine-host/index.ts';
import { NODE, useTestNode, type TestNode } from './test-node.ts';

const userOf = (pid: number) => statSync(`/proc/${pid}`).uid;

/** Node of the tests, with the agent that a test may leave running for the next one. */
interface AgentOnNode {
  readonly node: TestNode;
  agent: AgentChild | undefined;
  /** Returns the agent that the previous test left running, or a new one, whose start takes a while. */
  someAgent(): Promise<AgentChild>;
  noAgent(): Promise<void>;
  /** Lists the records of the engines of this test's node. */
  records(): Promise<string[]>;
  /** Lists the running engines of this test's node. */
  running(): Promise<number[]>;
}

function useAgent(engines: EngineHostKind): AgentOnNode {
  const current = useTestNode({ engines });
  const on: AgentOnNode = {
    get node() {
      return current();
    },
    agent: undefined,
    someAgent: async () => (on.agent ??= await on.node.startAgent()),
    async noAgent() {
      await on.agent?.kill();
      on.agent = undefined;
    },
    records: () => readdir(join(on.node.home, 'processes')),
    async running() {
      const nonces = (await on.records()).map((name) => name.replace('.json', ''));
      return runningPids().filter((pid) => nonces.some((nonce) => variableOf(pid, NONCE_VARIABLE)?.startsWith(nonce)));
    },
  };
  return on;
}

/** Declares the tests of an agent that hold for each way in which engines run. */
export function describeAgent(engines: EngineHostKind): void {
  const on = useAgent(engines);
  afterEach(() => on.node.giveAllBack());
  describeKilledAgent(on);
  describeRunningAgent(on);
}

function describeKilledAgent(on: AgentOnNode): void {
  describe('an agent that is killed', () => {
    it('while it installs and fetches: the next one finishes both, as the same generation', async () => {
      await on.noAgent();
      const first = await on.node.startAgent({ installMs: 400, fetchMs: 400 });
      const engine = await on.node.wantEngine('llama.cpp');
      const artifact = await on.node.wantArtifact('tiny');
      const { generation } = await on.node.until(engine, 'working');
      await first.kill();
      on.agent = await on.node.startAgent();
      expect(await on.node.until(engine, 'ready')).toMatchObject({ generation });
      await on.node.until(artifact, 'ready');
    });

    it('while a service runs: its engine dies with it, and the next agent starts the service again', async () => {
      const first = await on.someAgent();
      const service = await on.node.startModel('tiny');
      const before = await on.running();
      expect(before).toHaveLength(1);
      await first.kill();
      await eventually(async () => expect(await on.running()).toEqual([]));
      on.agent = await on.node.startAgent();
      await eventually(async () => {
        expect(await on.running()).toHaveLength(1);
        expect(await on.running()).not.toEqual(before);
      });
      const { generation } = service;
      expect(await on.node.until(service, 'ready')).toMatchObject({ generation });
      await on.node.giveBack(service);
      await on.node.until(service, 'removed');
      expect(await on.records()).toEqual([]);
    });

    it('loses nothing that was asked for while no agent ran', async () => {
      await on.noAgent();
      const engine = await on.node.wantEngine('faster-whisper');
      expect(await on.node.until(engine, 'queued')).toMatchObject({ settled: false });
      on.agent = await on.node.startAgent();
      await on.node.until(engine, 'ready');
    });
  });
}

function describeRunningAgent(on: AgentOnNode): void {
  describe('the agent of a node', () => {
    it('stops a service that nobody uses, and starts it when it is wanted again', async () => {
      await on.someAgent();
      const service = await on.node.startModel('tiny', 1_000);
      expect(await on.node.until(service, 'removed')).toMatchObject({ stopReason: 'idle', settled: true });
      expect(await on.running()).toEqual([]);
      const again = await on.node.startModel('tiny');
      expect(again.generation).toBe(service.generation + 1);
      expect((await on.node.ask(again, 'a')).status).toBe(200);
    });

    it('runs engines as another user than its own, who sees nothing of its environment', async () => {
      const { pid: agentPid } = await on.someAgent();
      await on.node.startModel('tiny');
      const [enginePid = 0] = await on.running();
      expect(isRoot ? userOf(enginePid) : ENGINE_USER.uid).toBe(ENGINE_USER.uid);
      expect(userOf(agentPid)).not.toBe(ENGINE_USER.uid);
      expect(variableOf(agentPid, 'AGENT_SETTINGS')).toContain('authSecret');
      expect(variableOf(enginePid, 'AGENT_SETTINGS')).toBeUndefined();
      expect(variableOf(enginePid, 'HOME')).toContain(join(on.node.home, 'tmp'));
    });

    it('that is told to end lets its engines finish what they answer, and sends them nothing new', async () => {
      const ending = await on.someAgent();
      on.agent = undefined;
      const service = await on.node.startModel('tiny');
      const answered = on.node.ask(service, 'work');
      const ended = ending.stop();
      await on.node.until(service, 'queued');
      expect(await on.running()).toHaveLength(1);
      expect((await on.node.ask(service, 'enough')).status).toBe(200);
      expect((await answered).status).toBe(200);
      expect(await ended).toBe(0);
      expect(await on.running()).toEqual([]);
      await on.someAgent();
      await on.node.until(service, 'ready');
    });

    it('is one at a time: another waits until it has the node', async () => {
      await on.noAgent();
      const lease = createLease(on.node.database, `runtime-agent:${NODE}`, 60_000);
      await eventually(async () => expect(await lease.acquire()).toBe(true));
      let started = false;
      const starting = on.node.startAgent().then((child) => {
        started = true;
        return child;
      });
      const engine = await on.node.wantEngine('llama.cpp');
      await eventually(async () => expect(await lease.acquire()).toBe(true));
      expect(started).toBe(false);
      await on.node.until(engine, 'queued');
      await lease.release();
      on.agent = await starting;
      await on.node.until(engine, 'ready');
    });
  });
}
