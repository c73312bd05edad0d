import { describe, expect, it } from '@jest/globals';
import type { PodSpec, RenderedObject } from './objects.ts';
import { violations } from './policies.ts';
import { renderedObjects } from './rendered.ts';

const objects = renderedObjects('production');

/** Overlay in which one object is changed as by a mistake. */
function withChanged(from: readonly RenderedObject[], kind: string, name: RegExp, change: (object: Changed) => void) {
  const copy = structuredClone([...from]);
  change(copy.find((object) => object.kind === kind && name.test(object.metadata.name)) as unknown as Changed);
  return violations(copy).map((violation) => violation.replace(/-[0-9a-z]{10}:/, ':'));
}

interface Changed {
  metadata: { name: string; labels: Record<string, string>; annotations: Record<string, string> };
  spec: Record<string, unknown> & { selector: { matchLabels: Record<string, string> } };
}

describe('a policy of the rollout', () => {
  it.each<[string, string, string, RegExp, (object: Changed) => void]>([
    [
      'another name for another image',
      'has a name that does not follow from its image',
      'Job',
      /^migrate-gateway/,
      (each) => (each.metadata.name = 'migrate-gateway'),
    ],
    [
      'steps that never give up',
      'gives up, and no apply revives it',
      'Job',
      /^migrate-gateway/,
      (each) => (each.spec['backoffLimit'] = 6),
    ],
    [
      'no phases beside the waves',
      'is a hook, which runs before what it needs',
      'Job',
      /^migrate-gateway/,
      (each) => (each.metadata.annotations['argocd.argoproj.io/hook'] = 'PreSync'),
    ],
    [
      'migrations before processes',
      'comes with the processes, and not before them',
      'Job',
      /^migrate-gateway/,
      (each) => (each.metadata.annotations = {}),
    ],
    [
      'nothing suspended that counts for the health of all',
      'makes the whole application a suspended one',
      'CronJob',
      /^clew-cli$/,
      (each) => (each.metadata.annotations = {}),
    ],
    [
      'no wave after the processes',
      'adds a wave, which waits for all others',
      'ConfigMap',
      /^clew-settings-/,
      (each) => (each.metadata.annotations['argocd.argoproj.io/sync-options'] = 'PruneLast=true'),
    ],
    [
      'nothing that an API server drops',
      'is written at each apply',
      'NetworkPolicy',
      /^jobs-worker$/,
      (each) => (each.spec['ingress'] = []),
    ],
    [
      'a selector that stays',
      'has a selector that a label would change',
      'Deployment',
      /^gateway$/,
      (each) => (each.spec.selector.matchLabels['app.kubernetes.io/version'] = '0.1.0'),
    ],
    [
      'a volume that stays',
      'loses its volume when it is pruned',
      'StatefulSet',
      /^model-runtime-agent$/,
      (each) => delete each.spec['persistentVolumeClaimRetentionPolicy'],
    ],
    [
      'a claim that stays',
      'has a claim that a label would change',
      'StatefulSet',
      /^model-runtime-agent$/,
      ({ spec }) => {
        const [claim] = spec['volumeClaimTemplates'] as { metadata: Record<string, unknown> }[];
        claim!.metadata['labels'] = { 'app.kubernetes.io/version': '0.1.0' };
      },
    ],
  ])('wants %s', (_what, complaint, kind, name, change) => {
    const [violation] = withChanged(objects, kind, name, change);
    expect(violation).toMatch(new RegExp(`^${kind} [a-z-]+: ${complaint}$`));
  });

  it.each(['name', 'component', 'instance', 'version'])('wants every object and every pod to say its %s', (part) => {
    const label = `app.kubernetes.io/${part}`;
    const without = (labels: Record<string, string>) =>
      Object.fromEntries(Object.entries(labels).filter(([name]) => name !== label));
    expect(
      withChanged(
        objects,
        'NetworkPolicy',
        /^servers$/,
        ({ metadata }) => (metadata.labels = without(metadata.labels)),
      ),
    ).toEqual([`NetworkPolicy servers: lacks ${label}`]);
    expect(
      withChanged(objects, 'Deployment', /^gateway$/, ({ spec }) => {
        const { metadata } = spec['template'] as { metadata: { labels: Record<string, string> } };
        metadata.labels = without(metadata.labels);
      }),
    ).toContain(`Deployment gateway: has pods without ${label}`);
  });

  it('wants accounts before the steps that use them', () => {
    expect(withChanged(objects, 'ServiceAccount', /^gateway$/, ({ metadata }) => (metadata.annotations = {}))).toEqual([
      'Job migrate-gateway: comes before what it needs',
    ]);
  });

  it('wants queries of the own namespace, and a home that the group of a volume gets no rights to', () => {
    const complete = renderedObjects('complete');
    expect(
      withChanged(complete, 'ScaledObject', /^gateway$/, (each) => {
        const [trigger] = each.spec['triggers'] as { metadata: { query: string } }[];
        trigger!.metadata.query = 'sum(clew_gateway_requests_in_flight)';
      }),
    ).toEqual(['ScaledObject gateway: scales by what another namespace does']);
    expect(
      withChanged(renderedObjects('dev'), 'StatefulSet', /^rabbitmq$/, ({ spec }) => {
        const { containers } = (spec['template'] as { spec: PodSpec }).spec;
        containers[0]!.env!.find(({ name }) => name === 'HOME')!.value = '/var/lib/rabbitmq';
      }),
    ).toEqual(['StatefulSet rabbitmq: keeps its home on a shared volume']);
  });
});
