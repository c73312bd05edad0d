import type { RequestListener, Server } from 'node:http';
import type { z } from 'zod';
import type { ServiceName } from '@clew/contracts';
import { listen } from '@clew/http';
import { startRelay } from '@clew/messaging';
import type { Migration } from '@clew/persistence';
import {
  createLogger,
  loadConfig,
  readServiceInfo,
  runUntilSignal,
  startService,
  startTracing,
  type Part,
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

/** Under load a caller uses each connection that it keeps within this time. */
const LAME_DUCK_MS = 1_000;

/** The one shape of an app: what it serves, and what goes on by itself. */
export interface App {
  readonly listener: RequestListener | Server;
  /** What must hold besides before the process is ready. */
  readonly checks?: readonly ReadinessCheck[];
  /** Begins what goes on by itself, once the app listens: its parts, in the order in which they are to stop. */
  start(): readonly Part[];
}

interface AppOptions<Config extends HostConfig, AppHost> {
  name: ServiceName;
  /** The folder of the app's package.json. */
  appFolder: string;
  config: z.ZodType<Config>;
  create(host: AppHost): App | Promise<App>;
}

/** Runs an app without a database until a signal comes. */
export async function runApp<Config extends HostConfig>(options: AppOptions<Config, Host<Config>>): Promise<void> {
  await startService(async () => {
    const basis = await readBasis(options);
    const { host, operations } = await openHost(basis);
    await run(await options.create(host), { host, operations, checks: basis.checks, stopLast: basis.stopLast });
  });
}

/** Runs an app that owns a database until a signal comes; the rows of its outbox are published meanwhile. */
export async function runDatabaseApp<Config extends HostConfig & DatabaseConfig & { AUTH_SECRET: string }>(
  options: AppOptions<Config, DatabaseHost<Config>> & { migrations: readonly Migration[] },
): Promise<void> {
  await runDatabaseRole<Config>({
    ...options,
    create: (host) => options.create(withDatabase(host, host.database)),
  });
}

/** Runs a process that works on the database of an app as `runDatabaseApp` does; it has no lists, and no secret for them. */
export async function runDatabaseRole<Config extends HostConfig & DatabaseConfig>(
  options: AppOptions<Config, RoleHost<Config>> & { migrations: readonly Migration[] },
): Promise<void> {
  await startService(async () => {
    const basis = await readBasis(options);
    const { config, logger } = basis;
    const database = await openDatabase({ config, appName: options.name, logger });
    basis.checks.push(...databaseChecks(database, options.migrations));
    const { host, operations } = await openHost(basis);
    observeDatabaseDisk(host.metrics, database, logger);
    const app = await options.create({ ...host, database });
    const withRelay: App = {
      ...app,
      start: () => [...app.start(), startRelay({ database, publisher: host.publisher, logger })],
    };
    const stopLast = [{ name: 'mongo', stop: () => database.close() }, ...basis.stopLast];
    await run(withRelay, { host, operations, checks: basis.checks, stopLast });
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
  host: Host;
  operations: Operations;
  checks: ReadinessCheck[];
  stopLast: readonly Stoppable[];
}

async function run(app: App, { host, operations, checks, stopLast }: RunOptions): Promise<void> {
  const { config, logger, broker, publisher } = host;
  checks.push(...(app.checks ?? []));
  const server = await listen(app.listener, { host: config.HOST, port: config.PORT });
  logger.info({ port: server.port }, 'listening');
  const parts = app.start();
  operations.watch.over(parts);
  runUntilSignal({
    logger,
    graceMs: config.SHUTDOWN_GRACE_MS,
    stopInOrder: [
      { name: 'readiness', stop: () => operations.readiness.startDraining() },
      { name: 'server', stop: () => server.stop({ lameDuckMs: LAME_DUCK_MS }) },
      ...parts,
      { name: 'publisher', stop: () => publisher.close() },
      { name: 'broker', stop: () => broker.close() },
      ...stopLast,
    ],
  });
}
