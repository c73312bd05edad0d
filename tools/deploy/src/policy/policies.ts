import { rolloutViolations } from './rollout-policies.ts';
import { isLasting, workloadsOf, type Container, type RenderedObject, type RenderedWorkload } from './objects.ts';

/** Check of one policy; returns the violations in words, or nothing. */
type Policy<Subject> = (subject: Subject, all: readonly RenderedObject[]) => readonly string[];

const unless = (holds: boolean | undefined, complaint: string) => (holds === true ? [] : [complaint]);

const POD_POLICIES: Readonly<Record<string, Policy<RenderedWorkload>>> = {
  'runs as an ordinary user, confined': ({ pod }) => [
    ...unless(pod.securityContext?.runAsNonRoot, 'may run as root'),
    ...unless((pod.securityContext?.runAsUser ?? 0) > 0, 'names no user'),
    ...unless(pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'),
    ...unless(!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'shares something with its machine'),
    ...unless(pod.volumes?.every(({ hostPath }) => hostPath === undefined) ?? true, 'mounts a folder of its machine'),
  ],
  'has an account of its own, whose token it is not given': ({ pod }) => [
    ...unless(pod.serviceAccountName !== undefined, 'uses the default account'),
    ...unless(pod.automountServiceAccountToken === false, 'is given a token'),
  ],
  'is spread over machines': (workload) =>
    unless(
      !isLasting(workload) ||
        workload.pod.topologySpreadConstraints?.some(({ topologyKey }) => topologyKey === 'kubernetes.io/hostname'),
      'may end up on one machine',
    ),
  'has a budget for disruptions': (workload, all) =>
    unless(!isLasting(workload) || all.some((object) => isBudgetOf(object, workload)), 'has no PodDisruptionBudget'),
};

function isBudgetOf({ kind, spec }: RenderedObject, { labels }: RenderedWorkload): boolean {
  if (kind !== 'PodDisruptionBudget') return false;
  const selector = spec?.['selector'] as { matchLabels?: Record<string, string> } | undefined;
  const wanted = Object.entries(selector?.matchLabels ?? {});
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

const CONTAINER_POLICIES: Readonly<Record<string, Policy<Container>>> = {
  'cannot gain rights, and writes only to volumes': ({ securityContext: context }) => [
    ...unless(context?.allowPrivilegeEscalation === false, 'may gain rights'),
    ...unless(context?.readOnlyRootFilesystem, 'may write to its image'),
    ...unless(context?.runAsNonRoot, 'may run as root'),
    ...unless(context?.privileged !== true, 'is privileged'),
    ...unless(context?.capabilities?.drop.includes('ALL') && !context.capabilities.add, 'keeps capabilities'),
  ],
  'has requests and limits': ({ resources }) =>
    (['requests', 'limits'] as const).flatMap((kind) => [
      ...unless(resources?.[kind]?.cpu !== undefined, `has no ${kind} of the processor`),
      ...unless(resources?.[kind]?.memory !== undefined, `has no ${kind} of memory`),
    ]),
  'has an image of one version': ({ image }) =>
    unless(/@sha256:[0-9a-f]{64}$|:(?!latest$)[\w.-]*\d[\w.-]*$/.test(image), `has the image ${image}`),
  // An image without a registry comes from a public hub, where the name may belong to somebody else.
  'names the registry of its image': ({ image }) =>
    unless(/^[^/]*[.:][^/]*\//.test(image), `has the image ${image} of no registry`),
  'has no secret in clear': ({ env = [] }) =>
    env
      .filter(({ name, value }) => value !== undefined && isSecret(name, value))
      .map(({ name }) => `has ${name} in clear`),
};

const SECRET_NAME = /SECRET|PASSWORD|TOKEN|_PASS$|(?<!PUBLIC)_KEY$|^(MONGO|AMQP)_URL$/;
const SECRET_VALUE = /:\/\/[^/\s]*:[^/\s]*@|-----BEGIN|^clew_/;

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

/** All policy violations of an overlay, as `<kind> <name>: <complaint>`. */
export function violations(objects: readonly RenderedObject[]): string[] {
  return [
    ...workloadsOf(objects).flatMap((workload) => ofWorkload(workload, objects)),
    ...objects.flatMap(ofObject),
    ...rolloutViolations(objects),
    ...unless(isDeniedByDefault(objects), 'NetworkPolicy: nothing is denied by default'),
  ];
}

function ofWorkload(workload: RenderedWorkload, all: readonly RenderedObject[]): string[] {
  const { object, pod } = workload;
  const containers = [...pod.containers, ...(pod.initContainers ?? [])];
  const complaints = [
    ...Object.values(POD_POLICIES).flatMap((policy) => policy(workload, all)),
    ...containers.flatMap((each) => Object.values(CONTAINER_POLICIES).flatMap((policy) => policy(each, all))),
    ...(isLasting(workload) ? pod.containers.flatMap(missingProbes) : []),
  ];
  return complaints.map((complaint) => `${object.kind} ${object.metadata.name}: ${complaint}`);
}

function missingProbes(container: Container): string[] {
  return PROBES.filter((probe) => container[probe] === undefined).map((probe) => `has no ${probe}`);
}

function ofObject({ kind, metadata, ...rest }: RenderedObject): string[] {
  const complaints = [
    ...(kind === 'Secret' ? ['a secret is in the manifests'] : []),
    ...(kind === 'ConfigMap' ? secretsOf(rest['data']) : []),
    ...(metadata.namespace === undefined && kind !== 'Namespace' ? ['is in no namespace'] : []),
    ...(kind === 'Namespace' ? ['would take all Secrets and volumes along when it is pruned'] : []),
  ];
  return complaints.map((complaint) => `${kind} ${metadata.name}: ${complaint}`);
}

function secretsOf(data: unknown): string[] {
  return Object.entries((data ?? {}) as Record<string, string>)
    .filter(([name, value]) => isSecret(name, value))
    .map(([name]) => `has ${name} in clear`);
}

function isDeniedByDefault(objects: readonly RenderedObject[]): boolean {
  return objects.some(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' && JSON.stringify(spec) === '{"podSelector":{},"policyTypes":["Ingress","Egress"]}',
  );
}
