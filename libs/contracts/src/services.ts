import { z } from 'zod';

/** A process of the system: what others need to know of it. */
export interface ServiceDefinition {
  /** The database that it owns, and brings up to date by its `migrate` script. */
  readonly database?: string;
  /** Its `migrate` script brings the topology of the broker up to date, for everybody. */
  readonly migratesTopology?: boolean;
  /** Without the broker it can do nothing, so that it is not ready then. */
  readonly needsBroker: boolean;
  /** Whether it calls others in its own name, for which it has a key. */
  readonly signsIdentity: boolean;
  /** Whether others call it, so that they are told its address. */
  readonly isCalled: boolean;
  /** Whether several run side by side without an address in front of them: they take from queues. */
  readonly isScalable: boolean;
  /** Liveness (specification, Health): the telemetry warehouse answers on `/health`, the jobs worker plain text. */
  readonly health: { readonly path: '/healthz' | '/health'; readonly format: 'json' | 'text' };
  /** How long a job may take that it has taken from a queue: once it is told to stop, it waits so long for the end. */
  readonly jobMs?: number;
  /** Calls of models are answered by processes that end with it: it waits for the longest of them. */
  readonly runsEngines?: boolean;
  /** Where it listens by default on a developer's machine. */
  readonly port: number;
  /** It is given keys that `clew agent-keys` derives from AUTH_SECRET for it, and never that itself: what it starts is not ours. */
  readonly hasDerivedKeys?: boolean;
  /** The port at which it tells operators what callers are not told, if that is another one. */
  readonly operationsPort?: number;
  /** The owner of the database that it works on, where that is another process: it waits for the migrations of that. */
  readonly worksOnDatabaseOf?: string;
}

const HTTP_SERVICE = {
  needsBroker: false,
  signsIdentity: true,
  isCalled: true,
  isScalable: false,
  health: { path: '/healthz', format: 'json' },
} as const;

/**
 * Every process, in the order in which they are shown. What names processes reads this table: the gateway's upstreams,
 * access lists, the identity keys, the development stack, the generators and the tests.
 */
export const SERVICES = {
  gateway: { ...HTTP_SERVICE, database: 'clew_gateway', isCalled: false, port: 8080, operationsPort: 9080 },
  'telemetry-ingest': { ...HTTP_SERVICE, needsBroker: true, port: 8081 },
  'telemetry-warehouse': {
    ...HTTP_SERVICE,
    database: 'clew_telemetry',
    health: { path: '/health', format: 'json' },
    port: 8082,
  },
  'diagnostics-svc': { ...HTTP_SERVICE, database: 'clew_diagnostics', port: 8083 },
  'datasets-svc': { ...HTTP_SERVICE, database: 'clew_datasets', port: 8084 },
  'knowledge-svc': { ...HTTP_SERVICE, database: 'clew_knowledge', port: 8086 },
  'model-runtime-svc': { ...HTTP_SERVICE, database: 'clew_models', port: 8085 },
  'model-runtime-agent': {
    ...HTTP_SERVICE,
    signsIdentity: false,
    isCalled: false,
    port: 8088,
    hasDerivedKeys: true,
    runsEngines: true,
    worksOnDatabaseOf: 'model-runtime-svc',
  },
  'jobs-worker': {
    ...HTTP_SERVICE,
    migratesTopology: true,
    needsBroker: true,
    isCalled: false,
    isScalable: true,
    health: { path: '/healthz', format: 'text' },
    jobMs: 300_000,
    port: 8087,
  },
} as const satisfies Record<string, ServiceDefinition>;

export type ServiceName = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];
export const ServiceName = z.enum(SERVICE_NAMES);

/** The processes that others are told the address of. */
export type CalledService = {
  [Name in ServiceName]: (typeof SERVICES)[Name] extends { isCalled: true } ? Name : never;
}[ServiceName];

export const CALLED_SERVICES = SERVICE_NAMES.filter((name) => SERVICES[name].isCalled) as CalledService[];

/** What is known of a process, with the members that only some have. */
export function serviceDefinition(name: ServiceName): ServiceDefinition {
  return SERVICES[name];
}

type Dashed<Name extends string> = Name extends `${infer Head}-${infer Rest}` ? `${Head}_${Dashed<Rest>}` : Name;

/** The variable that holds the address of a process: `DATASETS_SVC_URL`. */
export type AddressVariable<Name extends string = ServiceName> = `${Uppercase<Dashed<Name>>}_URL`;

export function addressVariable<Name extends ServiceName>(name: Name): AddressVariable<Name> {
  return `${name.toUpperCase().replaceAll('-', '_')}_URL` as AddressVariable<Name>;
}
