/** An application of the stack. Adding one is adding an entry below. */
export interface AppDefinition {
  /** Its folder under `apps`, unless `program` says so; others find it in the variable `<NAME>_URL`, upper case with underscores. */
  name: string;
  /** Whether it owns a database and has `dist/migrate.js`. */
  hasMigrations: boolean;
  /** Whether it signs calls to other services with a key of its own. */
  signsIdentity: boolean;
  /** Whether others call it, so that they are told its address. */
  isCalled: boolean;
  /** Whether several can run side by side: they take from queues, and nobody calls them at one address. */
  isScalable: boolean;
  /** Answers while the process lives. That it serves is asked at /readyz. */
  healthPath: string;
  instances: number;
  /** The folder under `apps`, and the script in its `dist`, of a further role of another application. */
  program?: { folder: string; script: string };
  /** Variables that only this one gets. */
  environment?: Readonly<Record<string, string>>;
}

const SERVICE = { isCalled: true, isScalable: false, healthPath: '/healthz', instances: 1 } as const;

/** The applications in the order in which they are shown. */
export const APPS: readonly AppDefinition[] = [
  { ...SERVICE, name: 'gateway', hasMigrations: true, signsIdentity: true, isCalled: false },
  { ...SERVICE, name: 'telemetry-ingest', hasMigrations: false, signsIdentity: true },
  { ...SERVICE, name: 'telemetry-warehouse', hasMigrations: true, signsIdentity: true, healthPath: '/health' },
  {
    ...{ ...SERVICE, name: 'datasets-svc', hasMigrations: true, signsIdentity: true },
    // Imports of any size in under 200 MiB: the young generation is else most of what they take.
    environment: { NODE_OPTIONS: '--max-semi-space-size=4' },
  },
  { ...SERVICE, name: 'diagnostics-svc', hasMigrations: true, signsIdentity: true },
  { ...SERVICE, name: 'model-runtime-svc', hasMigrations: true, signsIdentity: true },
  {
    ...{ ...SERVICE, name: 'model-runtime-agent', hasMigrations: false, signsIdentity: false, isCalled: false },
    program: { folder: 'model-runtime-svc', script: 'agent.js' },
  },
  { ...SERVICE, name: 'jobs-worker', hasMigrations: false, signsIdentity: true, isScalable: true },
];

/** The application that the user's requests go to. */
export const GATEWAY = 'gateway';

/** The name of the variable that holds an application's address. */
export function addressVariable(appName: string): string {
  return `${appName.toUpperCase().replaceAll('-', '_')}_URL`;
}
