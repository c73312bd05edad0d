import { createCursorCodec, deriveSecret, systemClock, type Clock, type CursorCodec } from '@clew/kernel';
import { addressVariable, serviceDefinition, type ServiceName } from '@clew/contracts';
import { drainMsWithin, graceMsOf } from '@clew/contracts/shutdown';
import {
  createIdentitySigner,
  createIdentityVerifier,
  createServiceClient,
  operationsRouter,
  readPrivateKey,
  readPublicKeys,
  type ApiOptions,
  type ServiceClient,
  type ServiceClientOptions,
} from '@clew/http';
import { connectBroker, createPublisher, type Broker, type Publisher } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import {
  cacheLookups,
  createMetrics,
  createReadiness,
  NotReadyError,
  type Logger,
  type MetricsRegistry,
  type Readiness,
  type ReadinessCheck,
  type ServiceInfo,
} from '@clew/runtime';
import { outageError } from './database.ts';
import { observeReadiness } from './observe.ts';
import { watchParts, type Watch } from './watch.ts';

/** Configuration of every process, with the optional members that only some use. */
export interface HostConfig {
  HOST: string;
  PORT: number;
  LOG_LEVEL: string;
  DEPLOYMENT_TARGET: 'server' | 'edge';
  SHUTDOWN_GRACE_MS?: number | undefined;
  MAX_HEARTBEAT_AGE_MS: number;
  AMQP_URL: string;
  IDENTITY_PUBLIC_KEYS_FILE?: string;
  IDENTITY_PRIVATE_KEY_FILE?: string;
}

/** Address of another service, and the signer of calls to it. */
export type ServiceCaller = Pick<ServiceClientOptions, 'baseUrl' | 'serviceName' | 'sign'>;

/** Environment of an app: its configuration and shared services. */
export interface Host<Config = HostConfig> {
  readonly config: Config;
  readonly info: ServiceInfo;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly broker: Broker;
  readonly publisher: Publisher;
  /** Options of every API: authentication, log, metrics, health. */
  readonly api: Pick<ApiOptions, 'authenticate' | 'logger' | 'metrics' | 'operations' | 'outageError'>;
  /** Health and readiness for external callers, who must not see metrics. */
  readonly probes: NonNullable<ApiOptions['operations']>;
  /** Aborted once the process is told to stop, so that endless work ends. */
  readonly ending: AbortSignal;
  /** Time that calls and jobs in hand may still take after that, in milliseconds. */
  readonly drainMs: number;
  /** Returns a client that calls another service in the name of this one. */
  client(service: ServiceName): ServiceClient;
  /** Returns the options that a client of another kind needs for the same. */
  callerOf(service: ServiceName): ServiceCaller;
}

/** Environment of a process that works on a database; messages in its outbox are published for it. */
export interface RoleHost<Config = HostConfig> extends Host<Config> {
  readonly database: Database;
}

/** Environment of an app that owns a database and serves lists from it. */
export interface DatabaseHost<Config = HostConfig> extends RoleHost<Config> {
  /** Authenticates the cursors of its lists. */
  readonly cursors: CursorCodec;
}

/** Controls for the runner of the process. */
export interface Operations {
  readonly readiness: Readiness;
  readonly watch: Watch;
}

export interface HostOptions<Config> {
  name: ServiceName;
  config: Config;
  info: ServiceInfo;
  logger: Logger;
  /** Conditions for the readiness of the process; read at each check. */
  checks: ReadinessCheck[];
}

/** Number of heartbeats within the age at which a consumer is considered stuck. */
const HEARTBEATS_PER_AGE = 4;
const MAX_CHECK_INTERVAL_MS = 15_000;

/** Opens the environment of a process; it starts even while the broker is away. */
export async function openHost<Config extends HostConfig>(
  options: HostOptions<Config>,
): Promise<{ host: Host<Config>; operations: Operations }> {
  const { name, config, info, logger, checks } = options;
  const { needsBroker, health } = serviceDefinition(name);
  const broker = await connectBroker({
    url: config.AMQP_URL,
    appName: name,
    logger,
    checkIntervalMs: Math.min(MAX_CHECK_INTERVAL_MS, config.MAX_HEARTBEAT_AGE_MS / HEARTBEATS_PER_AGE),
  });
  if (needsBroker) checks.push(brokerCheck(broker));
  const metrics = createMetrics(name);
  const readiness = createReadiness(checks, logger);
  observeReadiness(metrics, readiness);
  const watch = watchParts({ metrics, maxHeartbeatAgeMs: config.MAX_HEARTBEAT_AGE_MS });
  const keysFile = config.IDENTITY_PUBLIC_KEYS_FILE;
  const probed = { info, readiness, health, isAlive: () => watch.isAlive() };
  const host: Host<Config> = {
    ...{ config, info, logger, metrics, broker },
    clock: systemClock,
    publisher: createPublisher(broker),
    api: {
      // A process that serves only probes has no keys.
      authenticate:
        keysFile === undefined
          ? () => undefined
          : createIdentityVerifier(name, readPublicKeys(keysFile), cacheLookups(metrics, 'identities')),
      ...{ logger, metrics },
      operations: [operationsRouter({ ...probed, metrics })],
    },
    probes: [operationsRouter(probed)],
    ending: readiness.draining,
    drainMs: drainMsWithin(config.SHUTDOWN_GRACE_MS ?? graceMsOf(name)),
    client: (service) => createServiceClient(callerOf(name, config, service)),
    callerOf: (service) => callerOf(name, config, service),
  };
  return { host, operations: { readiness, watch } };
}

/** Adds the members that come with a database. */
export function withDatabase<Config extends { AUTH_SECRET: string }>(
  host: Host<Config>,
  database: Database,
): DatabaseHost<Config> {
  return {
    ...host,
    database,
    api: { ...host.api, outageError },
    cursors: createCursorCodec(deriveSecret(host.config.AUTH_SECRET, 'cursor/v1')),
  };
}

function callerOf(serviceName: ServiceName, config: HostConfig, service: ServiceName): ServiceCaller {
  const variable = addressVariable(service);
  const baseUrl = (config as unknown as Record<string, unknown>)[variable];
  const keyFile = config.IDENTITY_PRIVATE_KEY_FILE;
  if (typeof baseUrl !== 'string' || keyFile === undefined) {
    throw new Error(`${serviceName} cannot call ${service}: its configuration lacks ${variable} or a key`);
  }
  return { baseUrl, serviceName, sign: createIdentitySigner(serviceName, readPrivateKey(keyFile)) };
}

function brokerCheck(broker: Broker): ReadinessCheck {
  return {
    name: 'broker',
    async check() {
      if (!broker.isConnected()) throw new NotReadyError('The broker, or its topology, is not there');
    },
  };
}
