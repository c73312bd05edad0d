import type { RequestListener, Server } from 'node:http';
import { listen } from '@clew/http';
import {
  connectBroker,
  createPublisher,
  startRelay,
  type Broker,
  type Publisher,
  type QueueSpec,
} from '@clew/messaging';
import type { Database, Migration } from '@clew/persistence';
import {
  createLogger,
  createMetrics,
  createReadiness,
  readServiceInfo,
  runUntilSignal,
  type Logger,
  type MetricsRegistry,
  type Readiness,
  type ReadinessCheck,
  type ServiceInfo,
  type Stoppable,
} from '@clew/runtime';
import { databaseChecks, openDatabase, type DatabaseConfig } from './database.ts';

/** What every process's configuration holds. */
export interface HostConfig {
  HOST: string;
  PORT: number;
  LOG_LEVEL: string;
  DEPLOYMENT_TARGET: 'server' | 'edge';
  SHUTDOWN_GRACE_MS: number;
  AMQP_URL: string;
}

export interface HostOptions {
  /** The folder of the app's package.json. */
  appFolder: string;
  config: HostConfig;
  /** Queues that this process publishes to and answers for. */
  queues?: readonly QueueSpec[];
  /** Whether a process without the broker is not ready: only where it can do nothing without it. */
  needsBroker: boolean;
  /** What else must hold before the process is ready. */
  checks?: readonly ReadinessCheck[];
}

/** What a process stands on: logging, metrics, readiness, the broker. */
export interface Host {
  readonly info: ServiceInfo;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly readiness: Readiness;
  readonly broker: Broker;
  readonly publisher: Publisher;
  /** Listens, then runs until a signal comes; `parts` are stopped after the server and before the broker. */
  run(listener: RequestListener | Server, parts: readonly Stoppable[]): Promise<void>;
}

/** The host of a service that owns a database: what it writes to its outbox is published from here. */
export interface DatabaseHost extends Host {
  readonly database: Database;
}

/** Opens what a process stands on; it starts also while the broker is away. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { info, logger } = describe(options);
  return assemble(options, info, logger, [], []);
}

/** The same for a service that owns a database. */
export async function openDatabaseHost(
  options: HostOptions & { config: HostConfig & DatabaseConfig; migrations: readonly Migration[] },
): Promise<DatabaseHost> {
  const { info, logger } = describe(options);
  const database = await openDatabase({ config: options.config, appName: info.service, logger });
  const stopLast: Stoppable[] = [];
  const host = await assemble(options, info, logger, databaseChecks(database, options.migrations), stopLast);
  const relay = startRelay({ database, publisher: host.publisher, logger });
  stopLast.push({ name: 'relay', stop: () => relay.stop() }, { name: 'mongo', stop: () => database.close() });
  return { ...host, database };
}

function describe({ appFolder, config }: HostOptions): { info: ServiceInfo; logger: Logger } {
  const info = readServiceInfo(appFolder, config.DEPLOYMENT_TARGET);
  return { info, logger: createLogger({ service: info.service, version: info.version, level: config.LOG_LEVEL }) };
}

async function assemble(
  options: HostOptions,
  info: ServiceInfo,
  logger: Logger,
  checks: readonly ReadinessCheck[],
  stopLast: readonly Stoppable[],
): Promise<Host> {
  const { config } = options;
  const broker = await connectBroker({
    url: config.AMQP_URL,
    appName: info.service,
    logger,
    ...(options.queues === undefined ? {} : { queues: options.queues }),
  });
  const publisher = createPublisher(broker);
  const readiness = createReadiness([
    ...checks,
    ...(options.checks ?? []),
    ...(options.needsBroker ? [brokerCheck(broker)] : []),
  ]);
  return {
    info,
    logger,
    metrics: createMetrics(info.service),
    readiness,
    broker,
    publisher,
    async run(listener, parts) {
      const server = await listen(listener, { host: config.HOST, port: config.PORT });
      logger.info({ port: server.port }, 'listening');
      runUntilSignal({
        logger,
        graceMs: config.SHUTDOWN_GRACE_MS,
        stopInOrder: [
          { name: 'readiness', stop: () => readiness.startDraining() },
          { name: 'server', stop: () => server.stop() },
          ...parts,
          ...stopLast,
          { name: 'publisher', stop: () => publisher.close() },
          { name: 'broker', stop: () => broker.close() },
        ],
      });
    },
  };
}

function brokerCheck(broker: Broker): ReadinessCheck {
  return {
    name: 'broker',
    async check() {
      if (!broker.isConnected()) throw new Error('The broker is not connected');
    },
  };
}
