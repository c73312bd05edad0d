import { SERVICE_NAMES, serviceDefinition, type ServiceName } from '@clew/contracts/services';
import { NODE } from '../access/nodes.ts';
import { WORKBENCH_FOLDER } from '../image/image-content.ts';
import { AGENT_WORKLOAD } from './runtime-agent.ts';
import type { Workload } from './workload.ts';

/**
 * With these limits, garbage collection keeps a process below 300 MB (measured under load), as in the development
 * stack.
 */
const BOUNDED_HEAP = '--max-old-space-size=192';
const heap = (semiSpaceMib: number) => ({
  NODE_OPTIONS: `${BOUNDED_HEAP} --max-semi-space-size=${semiSpaceMib}`,
  MALLOC_ARENA_MAX: '2',
});

const START = ['node', '--no-parallel-scavenge'] as const;

const ORDINARY = {
  replicas: 2,
  memory: { request: '256Mi', limit: '512Mi' },
  // An event loop uses at most one core. A request of a quarter reserves room for it; autoscalers go by actual usage.
  cpu: { request: '250m', limit: '2' },
  environment: heap(8),
  podFields: {},
  mounts: [],
  scratch: '64Mi',
  reachesOut: false,
  ports: [],
} as const;

const OWN: Readonly<Partial<Record<ServiceName, Partial<Workload>>>> = {
  gateway: {
    cpu: { request: '500m', limit: '2' },
    environment: { ...heap(8), WORKBENCH_DIR: `/app/${WORKBENCH_FOLDER}` },
  },
  'telemetry-ingest': {
    // Two threads mask, beside the event loop.
    memory: { request: '256Mi', limit: '896Mi' },
    environment: { ...heap(8), SPOOL_DIRECTORY: '/tmp/clew-ingest' },
    // Two bodies of 256 MiB, with their decompressed content.
    scratch: '1Gi',
  },
  'telemetry-warehouse': { cpu: { request: '500m', limit: '2' }, environment: heap(24) },
  // Issue trackers.
  'diagnostics-svc': { reachesOut: true },
  'datasets-svc': { environment: heap(4) },
  'model-runtime-svc': {
    memory: { request: '384Mi', limit: '1Gi' },
    environment: { ...heap(8), INFERENCE_SPOOL_DIRECTORY: '/tmp/clew-inference', MODEL_NODE: NODE },
    scratch: '5Gi',
    reachesOut: true,
  },
  'model-runtime-agent': {
    ...AGENT_WORKLOAD,
    environment: { ...heap(8), ...AGENT_WORKLOAD.environment },
  },
  'jobs-worker': { cpu: { request: '500m', limit: '2' } },
};

/** Every process of the table of services. */
export const WORKLOADS: readonly Workload[] = SERVICE_NAMES.map((name) => ({
  ...ORDINARY,
  ...{ name, command: [...START, 'app/dist/main.js'] },
  ...OWN[name],
}));

/** Apps with migrations, which run from the app's image. */
export const MIGRATED: readonly ServiceName[] = SERVICE_NAMES.filter((name) => {
  const { database, migratesTopology } = serviceDefinition(name);
  return database !== undefined || migratesTopology === true;
});
