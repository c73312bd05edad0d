import { SERVICE_NAMES, serviceDefinition, type ServiceName } from '@clew/contracts/services';

/** Application of the stack; the table of services in `@clew/contracts` lists them all. */
export interface AppDefinition {
  /** Name, also its folder under `apps`. Others find its address in the variable `<NAME>_URL`, in upper case with underscores. */
  name: string;
  /** Subject of its script `migrate`: its own database, or the topology of the broker; undefined if there is no script. */
  migrates?: 'database' | 'topology';
  /** Whether it signs calls to other services with its own key. */
  signsIdentity: boolean;
  /** Whether it gets keys derived from AUTH_SECRET instead of AUTH_SECRET itself. */
  hasDerivedKeys?: boolean;
  /** Whether others call it, and therefore get its address. */
  isCalled: boolean;
  /** Whether several instances can run in parallel: they consume queues, and nobody calls them at one address. */
  isScalable: boolean;
  /** Whether it has a separate port for operators, with information that callers must not see. */
  hasOperationsPort?: boolean;
  /** Answers while the process is alive. `/readyz` tells whether it is ready to serve. */
  healthPath: string;
  instances: number;
  /** Whether a front listens at its address and passes each connection to one of several processes. */
  hasFront?: boolean;
  /** Variables that only this application gets. */
  environment?: Readonly<Record<string, string>>;
}

/** Settings that only the stack adds to the table of services. */
const OWN_ENVIRONMENT: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>> = {
  // Keeps imports of any size below 200 MiB: otherwise most of that would be the young generation.
  'datasets-svc': { NODE_OPTIONS: '--max-semi-space-size=4' },
  // Storing a message takes many times its size: in a smaller young generation, much of it would be promoted.
  'telemetry-warehouse': { NODE_OPTIONS: '--max-semi-space-size=24' },
};

/** Applications in display order. */
export const APPS: readonly AppDefinition[] = SERVICE_NAMES.map((name) => {
  const definition = serviceDefinition(name);
  const { database, migratesTopology, signsIdentity, isCalled, isScalable, health, operationsPort } = definition;
  const environment = OWN_ENVIRONMENT[name];
  return {
    ...{ name, signsIdentity, isCalled, isScalable },
    hasDerivedKeys: definition.hasDerivedKeys === true,
    healthPath: health.path,
    instances: 1,
    ...(database === undefined ? {} : { migrates: 'database' as const }),
    ...(migratesTopology === true ? { migrates: 'topology' as const } : {}),
    ...(operationsPort === undefined ? {} : { hasOperationsPort: true }),
    ...(environment === undefined ? {} : { environment }),
  };
});

/** Application that receives the user's requests. */
export const GATEWAY = 'gateway';

/** Name of the variable that holds an application's address. */
export function addressVariable(appName: string): string {
  return `${appName.toUpperCase().replaceAll('-', '_')}_URL`;
}
