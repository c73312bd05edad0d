import { generateKeyPairSync } from 'node:crypto';
import { systemClock, type Clock, type ErrorBody } from '@clew/kernel';
import { startRelay, type Broadcast } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import type { BackgroundTask } from '@clew/runtime';
import { createTcpFault, eventually, type TcpFault, type TestEnvironment } from '@clew/testing';
import { openMigratedDatabase, openTestDatabaseHost } from '@clew/testing-host';
import { fillWorkspace, type BootstrapResult } from '../bootstrap.ts';
import { GatewayConfig } from '../config.ts';
import { createGateway } from '../create-gateway.ts';
import { migrations } from '../migrations.ts';
import { insertWorkspace } from '../projects/workspaces.ts';

export const TEST_AUTH_SECRET = 'a secret for tests, of 32 bytes or more';

export interface TestGateway {
  url: string;
  config: GatewayConfig;
  database: Database;
  /** Sends a request with a key; the body of the answer is its JSON, if there is any. */
  ask<Body = ErrorBody>(
    secret: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  /** Value of a gauge or counter without labels. */
  measured(name: string): Promise<number>;
  stop(): Promise<void>;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Gateway on real servers, without a process of its own. */
export async function startTestGateway(
  environment: TestEnvironment,
  options: { clock?: Clock; variables?: Record<string, string> } = {},
): Promise<TestGateway> {
  const host = await openTestDatabaseHost(environment, {
    ...{ name: 'gateway', config: GatewayConfig, migrations, clock: options.clock ?? systemClock },
    variables: { AUTH_SECRET: TEST_AUTH_SECRET, API_KEY_ENVIRONMENT: 'test', ...options.variables },
  });
  const { database, publisher, logger, metrics } = host;
  const ending = new AbortController();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const served = await host.serve(createGateway({ ...host, ending: ending.signal, signingKey: privateKey }));
  const relay = startRelay({ database, publisher, logger });
  const broadcasts = served.start().filter(isBroadcast);
  await eventually(() => {
    if (!broadcasts.every((broadcast) => broadcast.isSubscribed())) throw new Error('not subscribed yet');
  });
  const { url } = served;
  return {
    url,
    config: host.config,
    database,
    ask: (secret, method, path, body, headers) => ask(url, secret, method, path, body, headers),
    async measured(name) {
      const line = (await metrics.metrics())
        .split('\n')
        .find((text) => text.startsWith(`${name}{`) || text.startsWith(`${name} `));
      return Number(line?.split(' ').at(-1));
    },
    async stop() {
      ending.abort();
      await served.stop();
      await relay.stop();
      await host.close();
    },
  };
}

/** Two replicas; the connection of the second one to the broker can be cut. */
export interface TestReplicas {
  here: TestGateway;
  there: TestGateway;
  fault: TcpFault;
  stop(): Promise<void>;
}

export async function startTestReplicas(environment: TestEnvironment): Promise<TestReplicas> {
  const { mongoUrl, amqpUrl, database } = environment;
  const { hostname, port } = new URL(amqpUrl);
  const fault = await createTcpFault({ target: { host: hostname, port: Number(port) } });
  const here = await startTestGateway(environment);
  const there = await startTestGateway({ ...environment, mongoUrl, database, amqpUrl: fault.through(amqpUrl) });
  return {
    ...{ here, there, fault },
    async stop() {
      await there.stop();
      await here.stop();
      await fault.close();
    },
  };
}

function isBroadcast(task: BackgroundTask): task is Broadcast {
  return 'isSubscribed' in task;
}

export function openTestDatabase(environment: TestEnvironment, mongoUrl = environment.mongoUrl): Promise<Database> {
  return openMigratedDatabase(environment, { migrations, mongoUrl });
}

/** Workspace of its own with two projects and the keys that every stack begins with. */
export function makeWorkspace(database: Database): Promise<BootstrapResult> {
  const config = { AUTH_SECRET: TEST_AUTH_SECRET, API_KEY_ENVIRONMENT: 'test' };
  return database.withTransaction(async (tx) => {
    const workspaceId = await insertWorkspace(tx, database, { name: 'Workspace', authSecret: TEST_AUTH_SECRET });
    return await fillWorkspace(tx, { database, config, workspaceId }, { project: 'First', secondProject: 'Second' });
  });
}

async function ask<Body>(
  url: string,
  secret: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as Body };
}
