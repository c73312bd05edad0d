import type { EnvelopeOf, Principal, spansReceived } from '@clew/contracts';
import { IDENTITY_HEADER, listen } from '@clew/http';
import { newId, type Clock } from '@clew/kernel';
import { connectBroker, consume, createPublisher, QUEUES, type Broker } from '@clew/messaging';
import { connectMongo, migrate, type Database } from '@clew/persistence';
import { createMetrics, createReadiness, loadConfig } from '@clew/runtime';
import { fixedClock, silentLogger, type FixedClock, type TestEnvironment } from '@clew/testing';
import { ModelRuntimeConfig } from '../config.ts';
import { createModelRuntime } from '../create-model-runtime.ts';
import { migrations } from '../migrations.ts';
import { createIdentities, keyWith, type Identities } from '@clew/testing/identities';

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root. */
  path: string;
  /** JSON, unless it is a form or text. */
  body?: unknown;
  headers?: Record<string, string>;
  /** A key with every scope of models by default; null sends no identity. */
  principal?: Principal | null;
  projectId?: string;
  signal?: AbortSignal;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export type Recorded = EnvelopeOf<typeof spansReceived>;

/** One instance of the API role, as its `main` wires it, on loopback. */
export interface TestService {
  readonly url: string;
  readonly database: Database;
  readonly broker: Broker;
  readonly clock: FixedClock;
  readonly identities: Identities;
  /** What it has put on the path of telemetry. */
  readonly recorded: Recorded[];
  send(call: Call): Promise<Response>;
  call<Body = Record<string, unknown>>(call: Call): Promise<Answer<Body>>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  env?: Record<string, string>;
  /** The clock of the machine instead of one that stands still. */
  clock?: Clock;
}

/** Answers are checked against their schemas in every test. */
process.env['CLEW_CHECK_RESPONSES'] = 'true';

export const TEST_PROJECT = newId('prj');

export async function openTestDatabase(environment: TestEnvironment): Promise<Database> {
  const { mongoUrl: url, database: name } = environment;
  const logger = silentLogger();
  const database = await connectMongo({ url, database: name, appName: 'test', logger });
  await migrate(database, migrations, { logger });
  return database;
}

export function testConfig(environment: TestEnvironment, env: Record<string, string> = {}): ModelRuntimeConfig {
  return loadConfig(ModelRuntimeConfig, {
    MONGO_URL: environment.mongoUrl,
    AMQP_URL: environment.amqpUrl,
    AUTH_SECRET: 'a secret of the tests, which is long enough',
    IDENTITY_PRIVATE_KEY_FILE: '/nowhere',
    IDENTITY_PUBLIC_KEYS_FILE: '/nowhere',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    ...env,
  });
}

export async function startTestService(
  environment: TestEnvironment,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const logger = silentLogger();
  const config = testConfig(environment, options.env);
  const database = await openTestDatabase(environment);
  const queues = Object.values(QUEUES);
  const broker = await connectBroker({ url: config.AMQP_URL, appName: 'test', logger, queues });
  await broker.whenConnected(AbortSignal.timeout(10_000));
  const publisher = createPublisher(broker);
  const recorded: Recorded[] = [];
  const consumer = consume({
    ...{ broker, logger, queue: QUEUES.spansReceived },
    handle: async (message) => void recorded.push(message),
  });
  const clock = fixedClock(Date.UTC(2026, 0, 1));
  const identities = createIdentities();
  const modelRuntime = createModelRuntime({
    ...{ config, database, broker, publisher, logger },
    clock: options.clock ?? clock,
    authenticate: identities.authenticate,
    metrics: createMetrics('test'),
    info: {
      ...{ service: 'model-runtime-svc', version: '0', startedAtMs: Date.now() },
      deploymentTarget: config.DEPLOYMENT_TARGET,
    },
    readiness: createReadiness([]),
  });
  const server = await listen(modelRuntime.listener, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${server.port}`;
  const consumers = modelRuntime.startConsumers();
  const parts = modelRuntime.start();
  const send = (call: Call) => sendCall(url, identities, call);
  return {
    ...{ url, database, broker, clock, identities, recorded, send },
    async call(call) {
      const response = await send(call);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('application/json') === true;
      const body = isJson && text !== '' ? JSON.parse(text) : null;
      return { status: response.status, headers: response.headers, text, body };
    },
    async stop() {
      server.server.closeAllConnections();
      await server.stop();
      for (const part of parts) await part.stop();
      for (const each of [consumer, ...consumers]) await each.stop();
      await publisher.close();
      await Promise.all([broker.close(), database.close()]);
    },
  };
}

const ALL_SCOPES = keyWith('workspace:read', 'models:manage', 'gateway:invoke', 'project:data:write');

function sendCall(url: string, identities: Identities, call: Call): Promise<Response> {
  const { projectId = TEST_PROJECT, principal = ALL_SCOPES, body, signal } = call;
  const isRaw = typeof body === 'string' || body instanceof FormData;
  return fetch(`${url}${call.path}`, {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(principal === null ? {} : { [IDENTITY_HEADER]: identities.tokenOf(principal, projectId) }),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}
