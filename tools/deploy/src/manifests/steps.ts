import { serviceDefinition, type ServiceName } from '@clew/contracts/services';
import { CLI_USER } from '../access/broker-rights.ts';
import type { Need } from '../access/recipes.ts';
import { serviceAccount, type KubernetesObject } from './base.ts';
import { needsOf } from './needs.ts';
import {
  CONTAINER_SECURITY,
  imageOf,
  labelsOf,
  migrationSecretOf,
  POD_SECURITY,
  secretVariable,
  type Part,
} from './pod.ts';
import { inWave, type Wave } from './waves.ts';
import { MIGRATED } from './workloads.ts';

/** Name of the command line's pod, and of the Secret with its broker address. */
export const CLI_NAME = `clew-${CLI_USER}`;

/**
 * Retries of a step whose servers are not reachable. The pause between retries grows to five minutes, so a step
 * continues for days until its servers are there. A second apply would not restart a step that had given up.
 */
const BACKOFF_LIMIT = 1_000;

const CLI_OPEN_SECONDS = 3_600;

/** Makes kustomize append a hash of the whole object to its name, as for the ConfigMaps that it generates. */
const NAMED_BY_CONTENT = { 'internal.config.kubernetes.io/needsHashSuffix': 'enabled' };

interface Step {
  readonly name: string;
  readonly part: Part;
  readonly wave: Wave;
  readonly account: string;
  readonly container: object;
  readonly volumes?: readonly object[];
  /** Whether policies for all processes (to servers, to a collector) exclude it. */
  readonly isAlone?: boolean;
}

/**
 * Job that runs once for each version of its content. A Job is immutable, so its name depends on its content, above all
 * on the image: another image means another Job.
 */
function job(step: Step): KubernetesObject {
  const labels = stepLabelsOf(step.name, step.part);
  const { 'app.kubernetes.io/part-of': _whole, ...alone } = labels;
  const metadata = { labels: step.isAlone === true ? alone : labels };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: step.name, labels, annotations: { ...inWave(step.wave), ...NAMED_BY_CONTENT } },
    spec: { backoffLimit: BACKOFF_LIMIT, template: { metadata, spec: podOf(step, 'OnFailure') } },
  };
}

/** Labels of a step. Monitoring does not scrape pods with a role label, because they end by themselves. */
const stepLabelsOf = (name: string, part: Part) => ({ ...labelsOf(name, part), 'clew.dev/role': part });

function podOf({ account, container, volumes }: Omit<Step, 'name' | 'part' | 'wave'>, restartPolicy: string) {
  return {
    serviceAccountName: account,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    restartPolicy,
    securityContext: POD_SECURITY,
    containers: [
      {
        ...container,
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
        // Shows in the description of the pod what it waits for.
        terminationMessagePolicy: 'FallbackToLogsOnError',
        securityContext: CONTAINER_SECURITY,
      },
    ],
    ...(volumes === undefined ? {} : { volumes }),
  };
}

/** One Job for each app with migrations. */
export function migrationJobs(): KubernetesObject[] {
  return MIGRATED.map(migrationJob);
}

function migrationJob(app: ServiceName): KubernetesObject {
  const server = serviceDefinition(app).database === undefined ? 'AMQP_URL' : 'MONGO_URL';
  return job({
    ...{ name: `migrate-${app}`, part: 'migration', wave: 'migrations', account: app },
    container: {
      name: 'migrate',
      image: imageOf(app),
      command: ['node', 'app/dist/migrate.js'],
      env: [secretVariable(server, migrationSecretOf(app))],
    },
  });
}

const NEEDED_FOLDER = '/needed';

/**
 * Job that names each missing Secret, and succeeds when none is missing. Secrets that exist are mounted, so it can see
 * them without permission to read Secrets, in a pod whose policies allow no connection.
 */
export function preflightObjects(others: readonly KubernetesObject[]): KubernetesObject[] {
  const needs = needsOf(others);
  const name = 'preflight';
  const preflight = job({
    ...{ name, part: 'preflight', wave: 'preflight', account: name, isAlone: true },
    container: {
      name,
      image: imageOf('cli'),
      command: ['node', 'app/dist/main.js', 'preflight', NEEDED_FOLDER],
      args: needs.map(({ name: needed, key }) => `${needed}/${key}`),
      volumeMounts: [{ name: 'needed', mountPath: NEEDED_FOLDER, readOnly: true }],
    },
    volumes: [{ name: 'needed', projected: { sources: needs.map(whereItIs) } }],
  });
  return [serviceAccount(name, 'preflight'), preflight];
}

/** Lets the preflight also check the additional values of a component. */
export function preflightOf(needs: readonly Need[]) {
  const operations = needs.flatMap((need) => [
    { op: 'add', path: '/spec/template/spec/containers/0/args/-', value: `${need.name}/${need.key}` },
    { op: 'add', path: '/spec/template/spec/volumes/0/projected/sources/-', value: whereItIs(need) },
  ]);
  const patch = operations.map((operation) => `- ${JSON.stringify(operation)}\n`).join('');
  return { target: { kind: 'Job', name: 'preflight' }, patch };
}

/** Mounts a value that may be missing. */
function whereItIs({ kind, name, key }: Need) {
  const source = { name, optional: true, items: [{ key, path: `${name}/${key}` }] };
  return kind === 'Secret' ? { secret: source } : { configMap: source };
}

/** Keeps the permanently suspended CronJob from making the whole Argo CD application suspended. */
const NO_HEALTH = { 'argocd.argoproj.io/ignore-healthcheck': 'true' };

/** Pod for the commands of the runbooks. It starts only on request, with `kubectl create job --from`. */
export function commandLineObjects(): KubernetesObject[] {
  const labels = stepLabelsOf(CLI_NAME, 'command-line');
  const container = {
    name: 'cli',
    image: imageOf('cli'),
    // Commands run through `kubectl exec`.
    command: ['node', '-e', `setTimeout(() => undefined, ${CLI_OPEN_SECONDS * 1_000})`],
    env: [secretVariable('AMQP_URL', CLI_NAME)],
  };
  const template = { metadata: { labels }, spec: podOf({ account: CLI_NAME, container }, 'Never') };
  const cronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: CLI_NAME, labels, annotations: NO_HEALTH },
    spec: {
      schedule: '0 0 1 1 *',
      suspend: true,
      jobTemplate: {
        metadata: { labels },
        spec: { backoffLimit: 0, activeDeadlineSeconds: CLI_OPEN_SECONDS, ttlSecondsAfterFinished: 60, template },
      },
    },
  };
  return [serviceAccount(CLI_NAME, 'command-line'), cronJob];
}
