import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@clew/contracts/services';
import { OVERLAYS, renderedObjects, type Overlay } from '../policy/rendered.ts';
import { workloadsOf, type RenderedObject } from '../policy/objects.ts';
import { ROOT } from '../image/assemble.ts';
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

describe('the label of the version', () => {
  const VERSION = 'app.kubernetes.io/version';
  const isOurs = ({ metadata }: RenderedObject) => metadata.labels['app.kubernetes.io/part-of'] === 'clew';

  it.each(OVERLAYS)('is that of this checkout on all that is ours in %s, and in no selector', (overlay) => {
    const objects = objectsOf(overlay);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const others = objects.filter((object) => isOurs(object) && object.metadata.labels[VERSION] !== version);
    expect(others.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    const selectors = objects.map(({ spec: own }) => [own?.['selector'], own?.['podSelector']]);
    expect(JSON.stringify(selectors)).not.toMatch(/version|instance|component/);
  });

  it('is that of the image on servers of the component', () => {
    for (const { object, labels, pod } of workloadsOf(objectsOf('dev').filter((each) => !isOurs(each)))) {
      expect(pod.containers[0]!.image).toMatch(new RegExp(`:${labels[VERSION]}(-management)?$`));
      expect(object.metadata.labels[VERSION]).toBe(labels[VERSION]);
    }
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
    expect(out).toEqual(['diagnostics-svc', 'model-runtime-svc', 'model-runtime-agent']);
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

describe('a private authority', () => {
  const AUTHORITY = 'clew-private-authority';

  it('is trusted by everything that connects to something, and missed by the preflight', () => {
    const workloads = workloadsOf(objectsOf('complete'));
    const isAlone = (name: string) => name.startsWith('preflight-');
    for (const { object, pod } of workloads.filter((each) => !isAlone(each.object.metadata.name))) {
      const [container] = pod.containers;
      const trusted = container!.env?.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.value;
      expect([object.metadata.name, trusted]).toEqual([object.metadata.name, '/authority/ca.crt']);
      expect(container!.volumeMounts).toContainEqual({ name: 'authority', mountPath: '/authority', readOnly: true });
      expect(pod.volumes).toContainEqual({ name: 'authority', configMap: { name: AUTHORITY } });
    }
    const preflight = workloads.find(({ object }) => isAlone(object.metadata.name))!.pod;
    expect(preflight.containers[0]!.args).toContain(`${AUTHORITY}/ca.crt`);
    expect(JSON.stringify(preflight.volumes)).toContain(`"name":"${AUTHORITY}","optional":true`);
  });
});

describe('the Workbench', () => {
  it.each(OVERLAYS)('is served by the gateway of %s, and by no other process', (overlay) => {
    const served = workloadsOf(objectsOf(overlay)).flatMap(({ object, pod }) =>
      pod.containers
        .flatMap(({ env }) => (env ?? []).filter(({ name }) => name === 'WORKBENCH_DIR'))
        .map(({ value }) => [object.metadata.name, value]),
    );
    expect(served).toEqual([['gateway', '/app/workbench']]);
  });
});

describe('the gateway, where people sign in at providers and get mail', () => {
  it('has the file of the providers and the address of the mail server, and reaches both', () => {
    const [gateway] = workloadsOf([find('complete', 'Deployment', 'gateway')]);
    const { env, volumeMounts } = gateway!.pod.containers[0]!;
    expect(env).toContainEqual({ name: 'OIDC_PROVIDERS_FILE', value: '/sign-in/providers.json' });
    const secretKeyRef = { name: 'clew-mail', key: 'SMTP_URL' };
    expect(env).toContainEqual({ name: 'SMTP_URL', valueFrom: { secretKeyRef } });
    expect(volumeMounts).toContainEqual({ name: 'sign-in', mountPath: '/sign-in', readOnly: true });
    expect(JSON.stringify(gateway!.pod.volumes)).toContain('"secret":{"name":"clew-sign-in","optional":true}');
    const [diagnostics] = workloadsOf([find('complete', 'Deployment', 'diagnostics-svc')]);
    expect(diagnostics!.pod.containers[0]!.env).toContainEqual({ name: 'SMTP_URL', valueFrom: { secretKeyRef } });
    const policies = ['gateway-sign-in-providers', 'gateway-mail', 'diagnostics-svc-mail'];
    const ports = policies.map((name) => {
      const policy = find('complete', 'NetworkPolicy', name) as unknown as {
        spec: { egress: { ports: { port: number }[] }[] };
      };
      return policy.spec.egress[0]?.ports.map(({ port }) => port);
    });
    const mail = [587, 465, 25, 2_525];
    expect(ports).toEqual([[443], mail, mail]);
  });
});

describe('the servers of the component', () => {
  it('find themselves by the names of their sets, whatever the service of names says', () => {
    const [{ pod }] = workloadsOf([find('dev', 'StatefulSet', 'mongodb')]) as [ReturnType<typeof workloadsOf>[number]];
    const member = pod.containers[0]!.env?.find(({ name }) => name === 'MONGODB_MEMBER')?.value;
    expect(pod['hostAliases']).toEqual([{ ip: '127.0.0.1', hostnames: [member?.replace(/:\d+$/, '')] }]);
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
    // Earlier pods may start once more with the old settings.
    expect(settings('dev').metadata.annotations).toMatchObject({
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
  });
});
