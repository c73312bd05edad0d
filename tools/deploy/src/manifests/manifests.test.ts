import { describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@clew/contracts/services';
import { OVERLAYS, renderedObjects, type Overlay } from '../policy/rendered.ts';
import { workloadsOf, type RenderedObject } from '../policy/objects.ts';
import { SETTINGS } from './kustomizations.ts';

const OBJECTS = new Map(OVERLAYS.map((overlay) => [overlay, renderedObjects(overlay)]));
const objectsOf = (overlay: Overlay) => OBJECTS.get(overlay)!;
const find = (overlay: Overlay, kind: string, name: string) =>
  objectsOf(overlay).find((object) => object.kind === kind && object.metadata.name === name)!;
const spec = <Shape>(object: RenderedObject) => object.spec as Shape;

interface Policy {
  podSelector: { matchLabels?: Record<string, string> };
  egress?: { to: { ipBlock?: { cidr: string; except?: string[] } }[]; ports: { port: number }[] }[];
  ingress?: { ports: { port: number }[] }[];
}

describe('the gateway', () => {
  it('answers /metrics on a port that no Service, Ingress or route leads to, and monitoring alone reaches', () => {
    const objects = objectsOf('complete');
    const [gateway] = workloadsOf(objects).filter(({ object }) => object.metadata.name === 'gateway');
    expect(gateway!.pod.containers[0]!.ports).toContainEqual({ name: 'operations', containerPort: 9080 });
    const reachable = objects.filter(({ kind }) => ['Service', 'Ingress', 'HTTPRoute'].includes(kind));
    expect(JSON.stringify(reachable.map((object) => object.spec))).not.toMatch(/operations|9080/);
    const open = objects.filter(
      ({ kind, spec: rules }) => kind === 'NetworkPolicy' && JSON.stringify(rules).includes('9080'),
    );
    expect(open.map(({ metadata }) => metadata.name)).toEqual(['monitoring-clew-gateway']);
  });

  it('is scraped once, on that port, and every other process once, on its own', () => {
    const monitors = objectsOf('complete').filter(({ kind }) => kind === 'PodMonitor');
    const scraped = monitors.map(({ spec: monitor }) => {
      const { selector, podMetricsEndpoints: endpoints } = monitor as unknown as {
        selector: { matchLabels: object; matchExpressions?: { key: string; operator: string; values?: string[] }[] };
        podMetricsEndpoints: { port: string }[];
      };
      return [
        endpoints.map(({ port }) => port),
        selector.matchExpressions?.find(({ operator }) => operator === 'NotIn')?.values,
      ];
    });
    expect(scraped).toEqual([
      [['http'], ['gateway']],
      [['operations'], undefined],
    ]);
  });

  it('takes bodies of any size and streams that last through an Ingress and through a route', () => {
    const { annotations } = find('complete', 'Ingress', 'gateway').metadata;
    const setting = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
    expect(['proxy-body-size', 'proxy-request-buffering', 'proxy-buffering'].map(setting)).toEqual(['0', 'off', 'off']);
    expect(Number(setting('proxy-read-timeout'))).toBeGreaterThan(600);
    const route = find('complete', 'HTTPRoute', 'gateway');
    expect(spec<{ rules: { timeouts: object }[] }>(route).rules[0]!.timeouts).toEqual({
      request: '0s',
      backendRequest: '0s',
    });
  });
});

describe('what needs something of a cluster', () => {
  const KNOWN_EVERYWHERE = /^(v1|apps\/v1|batch\/v1|policy\/v1|autoscaling\/v2|networking\.k8s\.io\/v1)$/;

  it.each<Overlay>(['dev', 'staging', 'production'])('is not in %s, which every cluster takes', (overlay) => {
    const objects = objectsOf(overlay);
    expect(objects.filter(({ apiVersion }) => !KNOWN_EVERYWHERE.test(apiVersion))).toEqual([]);
    expect(JSON.stringify(objects)).not.toContain('runtimeClassName');
  });

  it('leaves the worker two replicas, so that a disruption leaves one', () => {
    expect(spec<{ replicas: number }>(find('production', 'Deployment', 'jobs-worker')).replicas).toBe(2);
    expect(spec<object>(find('production', 'PodDisruptionBudget', 'jobs-worker'))).toMatchObject({ maxUnavailable: 1 });
  });
});

describe('scaling', () => {
  it('starts the next replica when one core is busy, and not when a small request is', () => {
    for (const { kind, spec: scaling } of objectsOf('production')) {
      if (kind !== 'HorizontalPodAutoscaler') continue;
      const [{ resource }] = (scaling as { metrics: [{ resource: { target: object } }] }).metrics;
      expect(resource.target).toEqual({ type: 'AverageValue', averageValue: '700m' });
    }
  });

  it('goes by requests under way where processes wait for models, and by one autoscaler each', () => {
    const objects = objectsOf('complete');
    const named = (kind: string) => objects.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);
    expect(named('ScaledObject')).toEqual(expect.arrayContaining(['gateway', 'model-runtime-svc', 'jobs-worker']));
    expect(named('HorizontalPodAutoscaler').filter((name) => named('ScaledObject').includes(name))).toEqual([]);
    for (const name of named('ScaledObject'))
      expect(find('complete', 'Deployment', name).spec).not.toHaveProperty('replicas');
  });
});

describe('the network', () => {
  const policy = (name: string) => spec<Policy>(find('production', 'NetworkPolicy', name));

  it('lets every process ask for names where clusters keep the service of names', () => {
    for (const name of [...SERVICE_NAMES, 'clew-cli', 'migrate-gateway']) {
      const names = policy(name).egress!.find(({ ports }) => ports.some(({ port }) => port === 53))!;
      expect(names.ports.map(({ port }) => port)).toContain(5353);
      const where = JSON.stringify(names.to);
      for (const place of ['kube-system', 'openshift-dns', '169.254.20.10/32']) expect(where).toContain(place);
    }
  });

  it('lets nobody but who needs it out, to public addresses of both families', () => {
    const out = SERVICE_NAMES.filter((name) => JSON.stringify(policy(name)).includes('0.0.0.0/0'));
    expect(out).toEqual(['model-runtime-svc', 'model-runtime-agent']);
    for (const name of out)
      expect(JSON.stringify(policy(name))).toContain('"cidr":"::/0","except":["fc00::/7","fe80::/10"]');
  });

  it('lets the preflight, which sees every Secret, speak with nobody', () => {
    const objects = objectsOf('complete');
    const [preflight] = workloadsOf(objects).filter(({ object }) => object.metadata.name.startsWith('preflight-'));
    const selecting = objects.filter(({ kind, spec: rules }) => {
      const labels = Object.entries((rules as unknown as Policy | undefined)?.podSelector?.matchLabels ?? {});
      return kind === 'NetworkPolicy' && labels.every(([key, value]) => preflight!.labels[key] === value);
    });
    expect(selecting.map(({ metadata }) => metadata.name)).toEqual(['default-deny']);
  });
});

describe('the command line', () => {
  it('is a pod that starts when asked for, confined, with the address of the broker as a user of its own', () => {
    const cli = find('production', 'CronJob', 'clew-cli');
    expect(cli.spec).toMatchObject({ suspend: true });
    const [{ pod }] = workloadsOf([cli]) as [ReturnType<typeof workloadsOf>[number]];
    expect(pod.containers[0]!.env).toEqual([
      { name: 'AMQP_URL', valueFrom: { secretKeyRef: { name: 'clew-cli', key: 'AMQP_URL' } } },
    ]);
    expect(JSON.stringify(find('production', 'NetworkPolicy', 'clew-cli').spec)).toContain('5672');
  });
});

describe('settings', () => {
  it('of an overlay are those of the base but for what it changes, under a name that follows from them', () => {
    const settings = (overlay: Overlay) =>
      objectsOf(overlay).find(({ metadata }) => metadata.name.startsWith('clew-settings-'))!;
    expect(settings('production')['data']).toEqual(SETTINGS);
    expect(settings('dev')['data']).toEqual({ ...SETTINGS, LOG_LEVEL: 'debug' });
    expect(settings('dev').metadata.name).not.toBe(settings('production').metadata.name);
    // Pods of before may start once more with the former ones.
    expect(settings('dev').metadata.annotations).toMatchObject({
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
  });
});
