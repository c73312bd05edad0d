import { z } from 'zod';

/** Facts about a process of the system that others need to know. */
export interface ServiceDefinition {
  /** Database that it owns and migrates with its `migrate` script. */
  readonly database?: string;
  /** Whether its `migrate` script migrates the broker's topology, for all processes. */
  readonly migratesTopology?: boolean;
  /** Whether it can do nothing without the broker, so that it is not ready while the broker is down. */
  readonly needsBroker: boolean;
  /** Whether it calls others in its own name, with a signing key. */
  readonly signsIdentity: boolean;
  /** Whether others call it, so that they are given its address. */
  readonly isCalled: boolean;
  /** Whether several replicas run without an address in front of them: they take work from queues. */
  readonly isScalable: boolean;
  /** Liveness (specification, Health): the telemetry warehouse answers on `/health`, the jobs worker plain text. */
  readonly health: { readonly path: '/healthz' | '/health'; readonly format: 'json' | 'text' };
  /** Maximum duration of a job from a queue; a process that is told to stop waits that long for its end. */
  readonly jobMs?: number;
  /** Whether processes that end with it answer model calls, so that it waits for the longest call. */
  readonly runsEngines?: boolean;
  /** Default port on a developer's machine. */
  readonly port: number;
  /**
   * Whether it gets keys that `clew agent-keys` derives from AUTH_SECRET, and never AUTH_SECRET itself, because it
   * starts foreign programs.
   */
  readonly hasDerivedKeys?: boolean;
  /** Port with information for operators that callers must not see, if it is another one. */
  readonly operationsPort?: number;
  /** Other process whose database it uses; it waits for the migrations of that process. */
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
 * All processes, in display order. Everything that names processes reads this table: the gateway's upstreams, access
 * lists, the identity keys, the development stack, the generators and the tests.
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

/** Processes whose address others are given. */
export type CalledService = {
  [Name in ServiceName]: (typeof SERVICES)[Name] extends { isCalled: true } ? Name : never;
}[ServiceName];

export const CALLED_SERVICES = SERVICE_NAMES.filter((name) => SERVICES[name].isCalled) as CalledService[];

/** Returns the definition of a process, including the members that only some have. */
export function serviceDefinition(name: ServiceName): ServiceDefinition {
  return SERVICES[name];
}

type Dashed<Name extends string> = Name extends `${infer Head}-${infer Rest}` ? `${Head}_${Dashed<Rest>}` : Name;

/** Environment variable with the address of a process: `DATASETS_SVC_URL`. */
export type AddressVariable<Name extends string = ServiceName> = `${Uppercase<Dashed<Name>>}_URL`;

export function addressVariable<Name extends ServiceName>(name: Name): AddressVariable<Name> {
  return `${name.toUpperCase().replaceAll('-', '_')}_URL` as AddressVariable<Name>;
}
