import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deriveSecret } from '@clew/kernel';
import { createPublisher } from '@clew/messaging';
import { createEngineKeys, type Resource, type ServiceOutcome } from '@clew/model-runtime';
import type { Database } from '@clew/persistence';
import { useTestEnvironment, type TestEnvironment } from '@clew/testing';
import { openTestBroker } from '@clew/testing-host';
import {
  openToPod,
  startAgentChild,
  startSupervisor,
  type AgentChild,
  type EngineHostKind,
  type SupervisorChild,
} from '@clew/testing-model-runtime';
import { afterAll, beforeAll } from '@jest/globals';
import { openTestDatabase } from './database.ts';
import { createWishes, type Wishes } from './wishes.ts';

export interface TestNodeOptions {
  /** Children of the agent by default. */
  engines?: EngineHostKind;
  /** How often the agent looks at everything; often by default. */
  sweepMs?: number;
}

/** Times that an agent's installations and fetches take; short by default. */
export interface WorkTimes {
  installMs?: number;
  fetchMs?: number;
}

/** A node of scripted engines, of which things are wanted through the database, as the API wants them. */
export interface TestNode extends Wishes {
  readonly database: Database;
  readonly home: string;
  /** Starts the agent in a process of its own. */
  startAgent(times?: WorkTimes): Promise<AgentChild>;
  /** Starts what runs engines in a container of their own. */
  startSupervisor(): Promise<void>;
  /** SIGKILL; resolves once it is gone. */
  killSupervisor(): Promise<void>;
  /** Asks a service that is ready for a completion, as the API does. */
  ask(service: Resource, prompt: string): Promise<Response>;
  stop(): Promise<void>;
}

export const NODE = 'node-1';
const AUTH_SECRET = 'a secret of the tests, which is long enough';
const RETRY_DELAYS_MS = [100, 200];
const HOOK_TIMEOUT_MS = 60_000;
/** Enough for whatever a slow machine needs to answer a call. */
const DRAIN_MS = 60_000;
/** Shorter than in the product, so that the tests wait less; long enough for a state to be seen, and for busy machines. */
const FAILURE_PAUSE_MS = 1_000;
const AT_REST_MS = 500;
const WORK_TIMES = { installMs: 50, fetchMs: 50 };

async function startTestNode(environment: TestEnvironment, options: TestNodeOptions): Promise<TestNode> {
  const { engines = 'children of the agent', sweepMs = 200 } = options;
  const database = await openTestDatabase(environment);
  const home = await mkdtemp(join(tmpdir(), 'clew-home-'));
  await openToPod(engines, home);
  const broker = await openTestBroker(environment, { service: 'model-runtime-agent', retryDelaysMs: RETRY_DELAYS_MS });
  const publisher = createPublisher(broker);
  const keyOf = createEngineKeys(deriveSecret(AUTH_SECRET, 'engine-key/v1'));
  const agents: AgentChild[] = [];
  const supervisors: SupervisorChild[] = [];
  const settings = {
    ...{ mongoUrl: environment.mongoUrl, database: environment.database, amqpUrl: environment.amqpUrl },
    ...{ home, node: NODE, authSecret: AUTH_SECRET, retryDelaysMs: RETRY_DELAYS_MS, engines },
    ...WORK_TIMES,
    ...{ sweepMs, drainMs: DRAIN_MS },
    ...{ atRestMs: AT_REST_MS, failurePauseMs: FAILURE_PAUSE_MS, logLevel: process.env['AGENT_LOG_LEVEL'] ?? 'silent' },
  };
  return {
    ...createWishes({ database, publisher, node: NODE }),
    ...{ database, home },
    async startAgent(times) {
      const agent = startAgentChild({ ...settings, ...times });
      agents.push(agent);
      await agent.ready;
      return agent;
    },
    async startSupervisor() {
      supervisors.push(await startSupervisor(home));
    },
    killSupervisor: async () => supervisors.at(-1)?.kill(),
    ask({ outcome }, prompt) {
      const { host, port, nonce } = outcome as ServiceOutcome;
      return fetch(`http://${host}:${port}/v1/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keyOf(nonce)}` },
        body: JSON.stringify({ prompt }),
      });
    },
    async stop() {
      await Promise.all([...agents, ...supervisors].map((child) => child.kill()));
      await publisher.close();
      await Promise.all([broker.close(), database.close()]);
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Gives a test file a node, there from `beforeAll` on; the tests start its agent. */
export function useTestNode(options: TestNodeOptions = {}): () => TestNode {
  let node: TestNode | undefined;
  // Before the servers that it uses lose its database and vhost: hooks run in the order in which they are made.
  afterAll(() => node?.stop(), HOOK_TIMEOUT_MS);
  const environment = useTestEnvironment();
  beforeAll(async () => {
    node = await startTestNode(environment, options);
    if (options.engines === 'in a container of their own') await node.startSupervisor();
  }, HOOK_TIMEOUT_MS);
  return () => {
    if (node === undefined) throw new Error('The node is there from beforeAll on');
    return node;
  };
}
