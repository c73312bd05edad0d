import type { RequestListener, Server } from 'node:http';
import type { z } from 'zod';
import type { ServiceName } from '@clew/contracts';
import { graceMsOf, LAME_DUCK_MS } from '@clew/contracts/shutdown';
import { listen, type StopOptions } from '@clew/http';
import { startRelay } from '@clew/messaging';
import type { Migration } from '@clew/persistence';
import {
  createLogger,
  loadConfig,
  readServiceInfo,
  runUntilSignal,
  startService,
  startTracing,
  type BackgroundTask,
  type ReadinessCheck,
  type Stoppable,
} from '@clew/runtime';
import { databaseChecks, openDatabase, type DatabaseConfig } from './database.ts';
import {
  openHost,
  withDatabase,
  type DatabaseHost,
  type Host,
  type HostConfig,
  type Operations,
  type RoleHost,
} from './host.ts';
import { observeDatabaseDisk } from './observe.ts';

/** Shape of every app: the listener that it serves, and its background tasks. */
export interface App {
  readonly listener: RequestListener | Server;
  /** Listener for operators, at a port of its own. */
  readonly operations?: { readonly listener: RequestListener; readonly port: number };
  /** Additional conditions for the readiness of the process. */
  readonly checks?: readonly ReadinessCheck[];
  /** Answers a call that cannot finish before the process ends; without it such a call is cut. */
  readonly refuse?: StopOptions['refuse'];
  /**
   * Starts the background tasks, once the app listens and its database is connected. Returns them in the order in which
   * they stop, after those that take work.
   */
  start(): readonly BackgroundTask[];
}

interface AppOptions<Config extends HostConfig, AppHost> {
  name: ServiceName;
  /** Folder of the app's package.json. */
  appFolder: string;
  config: z.ZodType<Config>;
  create(host: AppHost): App | Promise<App>;
}

/** Runs an app without a database until a signal comes. */
export async function runApp<Config extends HostConfig>(options: AppOptions<Config, Host<Config>>): Promise<void> {
  await startService(async () => {
    const basis = await readBasis(options);
    const { host, operations } = await openHost(basis);
    const whenConnected = async () => undefined;
    await run(await options.create(host), { ...basis, host, operations, whenConnected });
  });
}

/** Runs an app that owns a database until a signal comes; meanwhile the rows of its outbox are published. */
export async function runDatabaseApp<Config extends HostConfig & DatabaseConfig & { AUTH_SECRET: string }>(
  options: AppOptions<Config, DatabaseHost<Config>> & { migrations: readonly Migration[] },
): Promise<void> {
  await runDatabaseRole<Config>({
    ...options,
    create: (host) => options.create(withDatabase(host, host.database)),
  });
}

/**
 * Runs a process that works on the database of an app, like `runDatabaseApp`, but without lists and the secret for
 * them.
 */
export async function runDatabaseRole<Config extends HostConfig & DatabaseConfig>(
  options: AppOptions<Config, RoleHost<Config>> & { migrations: readonly Migration[] },
): Promise<void> {
  await startService(async () => {
    const basis = await readBasis(options);
    const { config, logger } = basis;
    const { database, whenConnected } = await openDatabase({ config, appName: options.name, logger });
    basis.checks.push(...databaseChecks(database, options.migrations));
    const { host, operations } = await openHost(basis);
    observeDatabaseDisk(host.metrics, database, logger);
    const app = await options.create({ ...host, database });
    const withRelay: App = {
      ...app,
      start: () => [...app.start(), startRelay({ database, publisher: host.publisher, logger })],
    };
    const stopLast = [{ name: 'mongo', stop: () => database.close() }, ...basis.stopLast];
    await run(withRelay, { ...basis, host, operations, whenConnected, stopLast });
  });
}

async function readBasis<Config extends HostConfig>(
  options: Pick<AppOptions<Config, never>, 'name' | 'appFolder' | 'config'>,
) {
  const { name } = options;
  const config = loadConfig(options.config, process.env);
  const info = readServiceInfo(options.appFolder, { service: name, deploymentTarget: config.DEPLOYMENT_TARGET });
  const tracing = await startTracing({ service: name, version: info.version, env: process.env });
  const logger = createLogger({ service: name, version: info.version, level: config.LOG_LEVEL });
  const checks: ReadinessCheck[] = [];
  const stopLast: Stoppable[] = tracing === undefined ? [] : [{ name: 'traces', stop: () => tracing.stop() }];
  return { name, config, info, logger, checks, stopLast };
}

interface RunOptions {
  name: ServiceName;
  host: Host;
  operations: Operations;
  checks: ReadinessCheck[];
  /** Resolves once everything that the background tasks need is connected. */
  whenConnected(): Promise<void>;
  stopLast: readonly Stoppable[];
}

async function run(app: App, { name, host, operations, checks, whenConnected, stopLast }: RunOptions): Promise<void> {
  const { config, logger, broker, publisher, drainMs } = host;
  checks.push(...(app.checks ?? []));
  const server = await listen(app.listener, { host: config.HOST, port: config.PORT });
  const beside = app.operations && (await listen(app.operations.listener, { ...app.operations, host: config.HOST }));
  logger.info({ port: server.port, operationsPort: beside?.port }, 'listening');
  let parts: readonly BackgroundTask[] = [];
  const begin = () => {
    if (host.ending.aborted) return;
    parts = app.start();
    operations.watch.over(parts);
  };
  // Only the wait of a process that is told to end first is rejected.
  whenConnected().then(begin, () => undefined);
  runUntilSignal({
    logger,
    graceMs: config.SHUTDOWN_GRACE_MS ?? graceMsOf(name),
    stopInOrder: () => [
      { name: 'readiness', stop: () => operations.readiness.startDraining() },
      { name: 'server', stop: () => server.stop({ lameDuckMs: LAME_DUCK_MS, drainMs, refuse: app.refuse }) },
      parts.filter(({ takesWork }) => takesWork === true),
      ...parts.filter(({ takesWork }) => takesWork !== true),
      { name: 'operations', stop: () => beside?.stop() },
      { name: 'publisher', stop: () => publisher.close() },
      { name: 'broker', stop: () => broker.close() },
      ...stopLast,
    ],
  });
}
