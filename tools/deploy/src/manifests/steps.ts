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

/** The pod of the command line, and the Secret with what it connects with. */
export const CLI_NAME = `clew-${CLI_USER}`;

/**
 * A restart of what has waited in vain comes after five minutes at most: a step goes on for days, until what it waits for
 * is there. One that had given up would not be revived by a second apply.
 */
const BACKOFF_LIMIT = 1_000;

const CLI_OPEN_SECONDS = 3_600;

/** Has kustomize end the name with a hash of the whole object, as it ends those of the ConfigMaps that it makes. */
const NAMED_BY_CONTENT = { 'internal.config.kubernetes.io/needsHashSuffix': 'enabled' };

interface Step {
  readonly name: string;
  readonly part: Part;
  readonly wave: Wave;
  readonly account: string;
  readonly container: object;
  readonly volumes?: readonly object[];
  /** Whether the policies that let every process reach something (servers, a collector) leave it out. */
  readonly isAlone?: boolean;
}

/**
 * Something that is done once for each state of what it consists of. A Job cannot be changed, so that its name follows
 * from its content, the image before all: another image is another Job.
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

/** Monitoring asks nothing of what has a role: it ends by itself. */
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
        // A description of the pod then shows what it waits for.
        terminationMessagePolicy: 'FallbackToLogsOnError',
        securityContext: CONTAINER_SECURITY,
      },
    ],
    ...(volumes === undefined ? {} : { volumes }),
  };
}

/** A Job for each app with something to bring up to date. */
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
 * Names each Secret that is missing, and is done when there is none. It sees what it looks for because each is mounted
 * where it exists: it needs no right to read Secrets, and a pod that may speak with nobody (no policy lets it).
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

/** Has the preflight look for what a component needs besides. */
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

/** Keeps what is suspended for good from making the application of Argo CD a suspended one. */
const NO_HEALTH = { 'argocd.argoproj.io/ignore-healthcheck': 'true' };

/** A pod for the commands of the runbooks, which nobody starts but who asks for it: `kubectl create job --from`. */
export function commandLineObjects(): KubernetesObject[] {
  const labels = stepLabelsOf(CLI_NAME, 'command-line');
  const container = {
    name: 'cli',
    image: imageOf('cli'),
    // Commands come by `kubectl exec`.
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
