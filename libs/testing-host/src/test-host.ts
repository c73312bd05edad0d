import type { z } from 'zod';
import { addressVariable, serviceDefinition, SERVICE_NAMES, type ServiceName } from '@clew/contracts';
import { watchParts, withDatabase, type App, type DatabaseHost, type Host, type HostConfig } from '@clew/host';
import { createServiceClient, listen, operationsRouter } from '@clew/http';
import type { Clock } from '@clew/kernel';
import { connectBroker, createPublisher, migrateTopology, QUEUES, type Broker, type QueueSpec } from '@clew/messaging';
import { connectMongo, migrate, type Database, type Migration } from '@clew/persistence';
import { createMetrics, createReadiness, loadConfig, type BackgroundTask } from '@clew/runtime';
import { fixedClock, silentLogger, type FixedClock, type TestEnvironment } from '@clew/testing';
import { createIdentities, type Identities } from '@clew/testing/identities';

export interface TestHostOptions<Config> {
  name: ServiceName;
  config: z.ZodType<Config>;
  /** Variables that differ from the usual ones, such as the address of a loopback service. */
  variables?: Readonly<Record<string, string>>;
  /** Address of the broker, if not that of the environment: behind a fault, for instance. */
  amqpUrl?: string;
  /** Waits before further attempts at a message; 30 and 60 ms by default. */
  retryDelaysMs?: readonly number[];
  clock?: Clock;
  identities?: Identities;
  /** Identities that sign the app's calls, if not those that services accept. */
  signers?: Identities;
}

export interface TestDatabaseHostOptions<Config> extends TestHostOptions<Config> {
  migrations: readonly Migration[];
  mongoUrl?: string;
}

/** App as its process would run it, on loopback. */
export interface Served<Served extends App> {
  readonly app: Served;
  readonly url: string;
  start(): readonly BackgroundTask[];
  stop(): Promise<void>;
}

export interface TestTools {
  readonly clock: FixedClock;
  readonly identities: Identities;
  serve<Kind extends App>(app: Kind): Promise<Served<Kind>>;
  close(): Promise<void>;
}

export type TestHost<Config> = Host<Config> & TestTools;
export type TestDatabaseHost<Config> = DatabaseHost<Config> & TestTools;

const STARTED_AT = 1_780_000_000_000;
const RETRY_DELAYS_MS = [30, 60];
/** Short drain time, because jobs that a test leaves in hand do not matter. */
const DRAIN_MS = 1_000;
const NOWHERE = 'http://127.0.0.1:1';

/** Opens the environment of an app without a database, with real servers and the test's clock. */
export async function openTestHost<Config extends HostConfig>(
  environment: TestEnvironment,
  options: TestHostOptions<Config>,
): Promise<TestHost<Config>> {
  // Answers are checked against their schemas in every test.
  process.env['CLEW_CHECK_RESPONSES'] = 'true';
  const { name, clock = fixedClock(STARTED_AT), identities = createIdentities(), signers = identities } = options;
  const config = loadConfig(options.config, { ...usualVariables(environment), ...options.variables });
  const logger = silentLogger();
  const metrics = createMetrics(name);
  const readiness = createReadiness([]);
  const watch = watchParts({ metrics, maxHeartbeatAgeMs: config.MAX_HEARTBEAT_AGE_MS });
  const info = { service: name, version: '0', deploymentTarget: config.DEPLOYMENT_TARGET, startedAtMs: Date.now() };
  const { health } = serviceDefinition(name);
  const probed = { info, readiness, health, isAlive: () => watch.isAlive() };
  const checkIntervalMs = config.MAX_HEARTBEAT_AGE_MS / 4;
  const broker = await openTestBroker(environment, { ...options, service: name, checkIntervalMs });
  const publisher = createPublisher(broker);
  const callerOf = (service: ServiceName) => ({
    baseUrl: String((config as unknown as Record<string, unknown>)[addressVariable(service)]),
    serviceName: name,
    sign: signers.signerOf(name),
  });
  return {
    ...{ config, info, logger, metrics, broker, publisher, identities },
    clock: clock as FixedClock,
    api: {
      authenticate: identities.at(name).authenticate,
      ...{ logger, metrics },
      operations: [operationsRouter({ ...probed, metrics })],
    },
    probes: [operationsRouter(probed)],
    ending: readiness.draining,
    drainMs: DRAIN_MS,
    client: (service) => createServiceClient(callerOf(service)),
    callerOf,
    async serve(app) {
      const server = await listen(app.listener, { host: '127.0.0.1', port: 0 });
      let parts: readonly BackgroundTask[] = [];
      return {
        app,
        url: `http://127.0.0.1:${server.port}`,
        start() {
          parts = app.start();
          watch.over(parts);
          return parts;
        },
        async stop() {
          await server.stop();
          for (const part of parts) await part.stop();
        },
      };
    },
    async close() {
      await publisher.close();
      await broker.close();
    },
  };
}

/** Opens the environment of an app that owns a database, which is migrated. */
export async function openTestDatabaseHost<Config extends HostConfig & { AUTH_SECRET: string }>(
  environment: TestEnvironment,
  options: TestDatabaseHostOptions<Config>,
): Promise<TestDatabaseHost<Config>> {
  const host = await openTestHost(environment, options);
  const database = await openMigratedDatabase(environment, options);
  return {
    ...withDatabase(host, database),
    ...host,
    async close() {
      await host.close();
      await database.close();
    },
  };
}

/** Connects to the database of the environment, with the schema of an app. */
export async function openMigratedDatabase(
  environment: TestEnvironment,
  { migrations, mongoUrl = environment.mongoUrl }: { migrations: readonly Migration[]; mongoUrl?: string },
): Promise<Database> {
  const logger = silentLogger();
  const database = await connectMongo({ url: mongoUrl, database: environment.database, appName: 'test', logger });
  await migrate(database, migrations, { logger });
  return database;
}

export interface TestBrokerOptions {
  /** Service under test: only the queues that it consumes or publishes to are declared, since each costs time. */
  service?: ServiceName;
  amqpUrl?: string;
  retryDelaysMs?: readonly number[];
  checkIntervalMs?: number;
}

/** Connects to the broker of the environment, which has the topology: that of one service, or all of it. */
export async function openTestBroker(environment: TestEnvironment, options: TestBrokerOptions = {}): Promise<Broker> {
  const { amqpUrl = environment.amqpUrl, retryDelaysMs = RETRY_DELAYS_MS, checkIntervalMs = 15_000, service } = options;
  await prepareTopologyOnce(environment, retryDelaysMs, service);
  const logger = silentLogger();
  const broker = await connectBroker({ url: amqpUrl, appName: 'test', logger, retryDelaysMs, checkIntervalMs });
  if (amqpUrl === environment.amqpUrl) await broker.whenConnected(AbortSignal.timeout(10_000));
  return broker;
}

const prepared = new Map<string, Promise<void>>();

async function prepareTopologyOnce(
  { amqpUrl }: TestEnvironment,
  retryDelaysMs: readonly number[],
  service: ServiceName | undefined,
): Promise<void> {
  const key = [amqpUrl, service, ...retryDelaysMs].join();
  const queues = Object.values<QueueSpec>(QUEUES).filter((queue) => service === undefined || concerns(service, queue));
  const known = prepared.get(key) ?? migrateTopology({ url: amqpUrl, logger: silentLogger(), retryDelaysMs, queues });
  prepared.set(key, known);
  await known;
}

function concerns(service: ServiceName, { consumer, message }: QueueSpec): boolean {
  return consumer === service || message.publishedBy.includes(service);
}

/** Variables of all apps; an app ignores those that it does not read. */
function usualVariables(environment: TestEnvironment): Record<string, string> {
  return {
    MONGO_URL: environment.mongoUrl,
    MONGO_DATABASE: environment.database,
    AMQP_URL: environment.amqpUrl,
    LOG_LEVEL: 'silent',
    AUTH_SECRET: 'a secret of the tests, which is long enough',
    IDENTITY_PRIVATE_KEY_FILE: 'unused',
    IDENTITY_PUBLIC_KEYS_FILE: 'unused',
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [addressVariable(name), NOWHERE])),
  };
}
