import { isPodReady, isSelected, type KubeObject, type Labels, type Pod } from './objects.ts';

interface Peer {
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly namespaceSelector?: object;
  readonly ipBlock?: object;
}

interface Rule {
  readonly to?: readonly Peer[];
  readonly from?: readonly Peer[];
  readonly ports?: readonly { readonly port: number; readonly endPort?: number }[];
}

type Policy = KubeObject & {
  readonly spec: {
    readonly podSelector: { readonly matchLabels?: Labels };
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
};

type Service = KubeObject & { readonly spec: { readonly selector?: Labels } };

/** Default ports of addresses without a port. */
const USUAL_PORTS: Readonly<Record<string, number>> = { mongodb: 27_017, amqp: 5_672, amqps: 5_671 };

/** Objects of a namespace that decide which pods reach each other. */
export interface Neighbourhood {
  readonly pods: readonly Pod[];
  readonly services: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
}

/**
 * Whether a pod reaches the server of an address. A Service of the namespace needs a ready pod, and the policies of
 * both sides must allow the connection; any other name is that of a server outside the cluster.
 */
export function reaches(pod: Pod, address: string, { pods, services, policies }: Neighbourhood): boolean {
  const { protocol, hostname, port: named } = new URL(address);
  const port = named === '' ? USUAL_PORTS[protocol.slice(0, -1)] : Number(named);
  if (port === undefined) throw new Error(`${protocol} has no usual port`);
  if (hostname.includes('.')) return isAllowedOut(pod, port, policies as readonly Policy[]);
  const service = services.find(({ metadata }) => metadata.name === hostname) as Service | undefined;
  if (service === undefined) return false;
  const targets = pods.filter((each) => isPodReady(each) && isSelected(each.metadata.labels, service.spec.selector));
  return targets.some((target) => isAllowed({ from: pod, to: target, port }, policies as readonly Policy[]));
}

interface Call {
  readonly from: Pod;
  readonly to: Pod;
  readonly port: number;
}

function isAllowed({ from, to, port }: Call, policies: readonly Policy[]): boolean {
  const names = (peers: readonly Peer[] | undefined, pod: Pod) =>
    peers === undefined || peers.some((peer) => isPeer(peer, pod));
  const out = policiesOf(from, 'Egress', policies);
  const into = policiesOf(to, 'Ingress', policies);
  const mayLeave = out
    .flatMap(({ spec }) => spec.egress ?? [])
    .some((rule) => hasPort(rule, port) && names(rule.to, to));
  const mayEnter = into
    .flatMap(({ spec }) => spec.ingress ?? [])
    .some((rule) => hasPort(rule, port) && names(rule.from, from));
  return (out.length === 0 || mayLeave) && (into.length === 0 || mayEnter);
}

/** Every installation has its own server network, so any allowed address block counts as that of the servers. */
function isAllowedOut(from: Pod, port: number, policies: readonly Policy[]): boolean {
  const out = policiesOf(from, 'Egress', policies);
  const blocks = out.flatMap(({ spec }) => spec.egress ?? []).filter((rule) => hasPort(rule, port));
  return out.length === 0 || blocks.some(({ to }) => to?.some(({ ipBlock }) => ipBlock !== undefined) ?? true);
}

const policiesOf = (pod: Pod, type: 'Egress' | 'Ingress', policies: readonly Policy[]) =>
  policies.filter(
    ({ spec }) => spec.policyTypes.includes(type) && isSelected(pod.metadata.labels, spec.podSelector.matchLabels),
  );

const isPeer = ({ podSelector, namespaceSelector, ipBlock }: Peer, pod: Pod) =>
  ipBlock === undefined && namespaceSelector === undefined && isSelected(pod.metadata.labels, podSelector?.matchLabels);

const hasPort = ({ ports }: Rule, port: number) =>
  ports === undefined || ports.some(({ port: first, endPort = first }) => port >= first && port <= endPort);
