import { isLasting, workloadsOf, type RenderedObject, type RenderedWorkload } from './objects.ts';

const WAVE = 'argocd.argoproj.io/sync-wave';
const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
const IGNORED_HEALTH = 'argocd.argoproj.io/ignore-healthcheck';
const HASHED = /-[0-9a-z]{10}$/;
const LABELS = ['name', 'component', 'instance', 'version'].map((label) => `app.kubernetes.io/${label}`);

const missingLabels = (labels: Readonly<Record<string, string>>) =>
  LABELS.filter((label) => labels[label] === undefined);
const waveOf = ({ metadata }: RenderedObject) => Number(metadata.annotations[WAVE] ?? '0');
const told = (object: RenderedObject, complaints: readonly string[]) =>
  complaints.map((complaint) => `${object.kind} ${object.metadata.name}: ${complaint}`);

/** Mistakes that show only during the rollout of an overlay, or of its next version. */
export function rolloutViolations(objects: readonly RenderedObject[]): string[] {
  return [
    ...workloadsOf(objects).flatMap((workload) => told(workload.object, ofWorkload(workload, objects))),
    ...objects.flatMap((object) => told(object, [...ofLabels(object), ...ofOrder(object), ...ofSelf(object)])),
  ];
}

function ofWorkload(workload: RenderedWorkload, all: readonly RenderedObject[]): string[] {
  const { labels } = workload;
  return [
    ...missingLabels(labels).map((label) => `has pods without ${label}`),
    ...ofSettings(workload, all),
    ...(isLasting(workload) ? ofLasting(workload) : []),
    ...(workload.object.kind === 'Job' ? ofJob(workload, all) : []),
  ];
}

/** Checks that settings have a name with a hash, since only a new name restarts pods with the new settings. */
function ofSettings({ pod }: RenderedWorkload, all: readonly RenderedObject[]): string[] {
  const names = pod.containers.flatMap(({ envFrom = [] }) =>
    envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []),
  );
  const isThere = (name: string) => all.some(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  return names
    .filter((name) => !HASHED.test(name) || !isThere(name))
    .map((name) => `would not notice a change of ${name}`);
}

function ofLasting({ object, pod }: RenderedWorkload): string[] {
  const spec = object.spec as {
    selector: { matchLabels: Record<string, string> };
    volumeClaimTemplates?: { metadata: Record<string, unknown> & { name: string } }[];
    persistentVolumeClaimRetentionPolicy?: unknown;
  };
  const claims = spec.volumeClaimTemplates ?? [];
  const isKept =
    JSON.stringify(spec.persistentVolumeClaimRetentionPolicy) === '{"whenDeleted":"Retain","whenScaled":"Retain"}';
  const claimed = claims.map(({ metadata }) => metadata.name);
  const homes = pod.containers.flatMap(({ env = [], volumeMounts = [] }) => {
    const paths = volumeMounts.filter(({ name }) => claimed.includes(name)).map(({ mountPath }) => mountPath);
    return env.filter(({ name, value }) => name === 'HOME' && paths.some((path) => `${value}/`.startsWith(`${path}/`)));
  });
  return [
    ...(Object.keys(spec.selector.matchLabels).length === 1 ? [] : ['has a selector that a label would change']),
    ...(claims.every(({ metadata }) => Object.keys(metadata).length === 1)
      ? []
      : ['has a claim that a label would change']),
    ...(claims.length === 0 || isKept ? [] : ['loses its volume when it is pruned']),
    // Each mount gives the group access to files that only the owner may read.
    ...(homes.length > 0 && pod.securityContext?.fsGroup !== undefined ? ['keeps its home on a shared volume'] : []),
  ];
}

function ofJob({ object, pod }: RenderedWorkload, all: readonly RenderedObject[]): string[] {
  const { backoffLimit = 6, activeDeadlineSeconds } = object.spec as {
    backoffLimit?: number;
    activeDeadlineSeconds?: number;
  };
  const isBefore = ({ kind, metadata }: RenderedObject) =>
    (kind === 'ServiceAccount' && metadata.name === pod.serviceAccountName) || kind === 'NetworkPolicy';
  const needed = all.filter(isBefore);
  return [
    ...(HASHED.test(object.metadata.name) ? [] : ['has a name that does not follow from its image']),
    ...(backoffLimit >= 1_000 && activeDeadlineSeconds === undefined ? [] : ['gives up, and no apply revives it']),
    ...(needed.every((each) => waveOf(each) < waveOf(object)) ? [] : ['comes before what it needs']),
  ];
}

function ofLabels({ metadata }: RenderedObject): string[] {
  return missingLabels(metadata.labels).map((label) => `lacks ${label}`);
}

/** Whether a value is an empty list, which an API server drops. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function ofOrder(object: RenderedObject): string[] {
  const { kind, metadata, spec } = object;
  const isCounted = metadata.annotations[IGNORED_HEALTH] !== 'true';
  const isHook = Object.keys(metadata.annotations).some((name) => name.startsWith('argocd.argoproj.io/hook'));
  return [
    ...(isHook ? ['is a hook, which runs before what it needs'] : []),
    ...(spec?.['suspend'] === true && isCounted ? ['makes the whole application a suspended one'] : []),
    ...(/PruneLast/.test(metadata.annotations[SYNC_OPTIONS] ?? '') ? ['adds a wave, which waits for all others'] : []),
    ...(kind === 'NetworkPolicy' && Object.values(spec ?? {}).some(isEmptyList) ? ['is written at each apply'] : []),
    ...(kind === 'Job' && waveOf(object) >= 0 ? ['comes with the processes, and not before them'] : []),
  ];
}

const OWN_NAMESPACE = /namespace="([^"]*)"/;

function ofSelf({ kind, metadata, spec }: RenderedObject): string[] {
  if (kind !== 'ScaledObject') return [];
  const { triggers } = spec as { triggers: { metadata: { query?: string } }[] };
  const queries = triggers.flatMap(({ metadata: { query } }) => query ?? []);
  return queries.every((query) => OWN_NAMESPACE.exec(query)?.[1] === metadata.namespace)
    ? []
    : ['scales by what another namespace does'];
}
