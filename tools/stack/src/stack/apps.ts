import { SERVICE_NAMES, serviceDefinition, type ServiceName } from '@clew/contracts/services';

/** An application of the stack. What there is, is said by the table of services in `@clew/contracts`. */
export interface AppDefinition {
  /** Its folder under `apps`; others find it in the variable `<NAME>_URL`, upper case with underscores. */
  name: string;
  /** Whether it has `dist/migrate.js`: for a database of its own, or for the topology of the broker. */
  hasMigrations: boolean;
  /** Whether it signs calls to other services with a key of its own. */
  signsIdentity: boolean;
  /** Whether it gets keys that are derived from AUTH_SECRET in place of that. */
  hasDerivedKeys?: boolean;
  /** Whether others call it, so that they are told its address. */
  isCalled: boolean;
  /** Whether several can run side by side: they take from queues, and nobody calls them at one address. */
  isScalable: boolean;
  /** Whether it tells operators at a port of its own what callers are not told. */
  hasOperationsPort?: boolean;
  /** Answers while the process lives. That it serves is asked at /readyz. */
  healthPath: string;
  instances: number;
  /** Whether what listens at its address passes each connection on to one of several processes. */
  hasFront?: boolean;
  /** Variables that only this one gets. */
  environment?: Readonly<Record<string, string>>;
}

/** What the stack alone adds to what the table says. */
const OWN_ENVIRONMENT: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>> = {
  // Imports of any size in under 200 MiB: the young generation is else most of what they take.
  'datasets-svc': { NODE_OPTIONS: '--max-semi-space-size=4' },
  // A message is many times its size while it is stored: in less space much of that outlives the young generation.
  'telemetry-warehouse': { NODE_OPTIONS: '--max-semi-space-size=24' },
};

/** The applications in the order in which they are shown. */
export const APPS: readonly AppDefinition[] = SERVICE_NAMES.map((name) => {
  const definition = serviceDefinition(name);
  const { database, migratesTopology, signsIdentity, isCalled, isScalable, health, operationsPort } = definition;
  const environment = OWN_ENVIRONMENT[name];
  return {
    ...{ name, signsIdentity, isCalled, isScalable },
    hasDerivedKeys: definition.hasDerivedKeys === true,
    hasMigrations: database !== undefined || migratesTopology === true,
    healthPath: health.path,
    instances: 1,
    ...(operationsPort === undefined ? {} : { hasOperationsPort: true }),
    ...(environment === undefined ? {} : { environment }),
  };
});

/** The application that the user's requests go to. */
export const GATEWAY = 'gateway';

/** The name of the variable that holds an application's address. */
export function addressVariable(appName: string): string {
  return `${appName.toUpperCase().replaceAll('-', '_')}_URL`;
}
