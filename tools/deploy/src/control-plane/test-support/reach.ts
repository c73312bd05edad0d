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

/** The ports of addresses that name none. */
const USUAL_PORTS: Readonly<Record<string, number>> = { mongodb: 27_017, amqp: 5_672, amqps: 5_671 };

/** What of a namespace says who reaches whom. */
export interface Neighbourhood {
  readonly pods: readonly Pod[];
  readonly services: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
}

/**
 * Whether a pod gets through to the server of an address. One that is named by a Service of the namespace has to have a
 * ready pod, and the policies of both have to let the call pass; any other name is one of a server outside.
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

/** The network of the servers is an installation's own: whichever block of addresses is named counts as theirs. */
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
