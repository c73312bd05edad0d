import { generateKeyPairSync } from 'node:crypto';
import { apiKeyChanged } from '@clew/contracts';
import { listen } from '@clew/http';
import { systemClock, type Clock, type ErrorBody } from '@clew/kernel';
import { connectBroker, createPublisher, startRelay, subscribeBroadcast } from '@clew/messaging';
import { connectMongo, migrate, type Database } from '@clew/persistence';
import { createMetrics, createReadiness, loadConfig } from '@clew/runtime';
import { eventually, silentLogger, type TestEnvironment } from '@clew/testing';
import { bootstrap, type BootstrapResult } from '../bootstrap.ts';
import { GatewayConfig } from '../config.ts';
import { createGateway } from '../create-gateway.ts';
import { migrations } from '../migrations.ts';

export const TEST_AUTH_SECRET = 'a secret for tests, of 32 bytes or more';

export interface TestGateway {
  url: string;
  database: Database;
  /** Asks with a key; the body is what JSON there was. */
  ask<Body = ErrorBody>(
    secret: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  stop(): Promise<void>;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** A gateway on real servers, without its process. */
export async function startTestGateway(
  environment: TestEnvironment,
  options: { clock?: Clock; variables?: Record<string, string> } = {},
): Promise<TestGateway> {
  const logger = silentLogger();
  const database = await openTestDatabase(environment);
  const broker = await connectBroker({ url: environment.amqpUrl, appName: 'gateway', logger });
  const publisher = createPublisher(broker);
  const relay = startRelay({ database, publisher, logger });
  const gateway = createGateway({
    config: configOf(environment, options.variables),
    database,
    clock: options.clock ?? systemClock,
    logger,
    metrics: createMetrics('gateway'),
    info: { service: 'gateway', version: '0', deploymentTarget: 'server', startedAtMs: Date.now() },
    readiness: createReadiness([]),
    signingKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  });
  const keyChanges = subscribeBroadcast({
    broker,
    spec: apiKeyChanged,
    logger,
    handle: ({ data }) => gateway.forgetKey(data.keyId),
    onSubscribed: () => gateway.forgetAllKeys(),
  });
  await eventually(() => {
    if (!keyChanges.isSubscribed()) throw new Error('not subscribed yet');
  });
  const server = await listen(gateway.server, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    database,
    ask: (secret, method, path, body, headers) => ask(url, secret, method, path, body, headers),
    async stop() {
      await server.stop();
      gateway.close();
      await keyChanges.stop();
      await relay.stop();
      await publisher.close();
      await broker.close();
      await database.close();
    },
  };
}

export async function openTestDatabase({ mongoUrl, database: name }: TestEnvironment): Promise<Database> {
  const logger = silentLogger();
  const database = await connectMongo({ url: mongoUrl, database: name, appName: 'gateway', logger });
  await migrate(database, migrations, { logger });
  return database;
}

/** A workspace with two projects and the keys that every stack begins with. */
export function makeWorkspace(database: Database): Promise<BootstrapResult> {
  const names = { workspace: 'Workspace', project: 'First', secondProject: 'Second' };
  return bootstrap(database, { AUTH_SECRET: TEST_AUTH_SECRET, API_KEY_ENVIRONMENT: 'test' }, names);
}

function configOf(environment: TestEnvironment, variables: Record<string, string> = {}): GatewayConfig {
  const nowhere = 'http://127.0.0.1:1';
  return loadConfig(GatewayConfig, {
    MONGO_URL: environment.mongoUrl,
    MONGO_DATABASE: environment.database,
    AMQP_URL: environment.amqpUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    API_KEY_ENVIRONMENT: 'test',
    IDENTITY_PRIVATE_KEY_FILE: 'unused',
    TELEMETRY_INGEST_URL: nowhere,
    TELEMETRY_WAREHOUSE_URL: nowhere,
    DATASETS_SVC_URL: nowhere,
    DIAGNOSTICS_SVC_URL: nowhere,
    MODEL_RUNTIME_SVC_URL: nowhere,
    ...variables,
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
