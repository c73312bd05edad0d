import { describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES, serviceDefinition } from '@clew/contracts/services';
import { workloadObjects } from '../manifests/base.ts';
import { containerOf } from '../manifests/pod.ts';
import { WORKLOADS } from '../manifests/workloads.ts';
import { workloadsOf, type Container, type PodSpec, type RenderedObject } from './objects.ts';
import { violations } from './policies.ts';
import { OVERLAYS, renderedObjects } from './rendered.ts';

describe.each(OVERLAYS)('the overlay %s', (overlay) => {
  const objects = renderedObjects(overlay);
  const workloads = workloadsOf(objects);

  it('breaks no policy', () => {
    expect(violations(objects)).toEqual([]);
  });

  it('runs every process of the table of services, each with an account, an address and its migrations', () => {
    const named = (kind: string) =>
      objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
    expect(named('Service')).toEqual(expect.arrayContaining([...SERVICE_NAMES]));
    expect(named('ServiceAccount')).toEqual(expect.arrayContaining([...SERVICE_NAMES]));
    expect([...named('Deployment'), ...named('StatefulSet')]).toEqual(expect.arrayContaining([...SERVICE_NAMES]));
    const migrated = SERVICE_NAMES.filter((name) => {
      const { database, migratesTopology } = serviceDefinition(name);
      return database !== undefined || migratesTopology === true;
    });
    expect(
      named('Job')
        .map((name) => name.replace(/-\w+$/, ''))
        .sort(),
    ).toEqual([...migrated.map((name) => `migrate-${name}`), 'preflight'].sort());
  });

  it.each([...SERVICE_NAMES])(
    'asks %s whether it lives where the specification says, and whether it is ready',
    (name) => {
      const [container] = workloads.find(({ object }) => object.metadata.name === name)!.pod.containers;
      const { path } = serviceDefinition(name).health;
      expect(container!.livenessProbe!.httpGet).toEqual({ path, port: 'http' });
      expect(container!.startupProbe!.httpGet).toEqual({ path, port: 'http' });
      expect(container!.readinessProbe!.httpGet).toEqual({ path: '/readyz', port: 'http' });
    },
  );

  it('is rendered from the base that the tables give', () => {
    for (const workload of WORKLOADS) {
      const rendered = workloads.find(({ object }) => object.metadata.name === workload.name)!;
      const { command, env, securityContext, volumeMounts, lifecycle } = containerOf(workload);
      const { containers } = rendered.pod;
      expect(containers[0]).toMatchObject({ command, securityContext, lifecycle });
      // Components may add to these.
      expect(containers[0]!.env).toEqual(expect.arrayContaining(env));
      expect(containers[0]!.volumeMounts).toEqual(expect.arrayContaining(volumeMounts));
      const kinds = workloadObjects(workload).map(({ kind }) => kind);
      const there = objects.filter(({ metadata }) => metadata.name === workload.name).map(({ kind }) => kind);
      expect(there).toEqual(expect.arrayContaining(kinds));
    }
  });
});

describe('a policy', () => {
  const objects = renderedObjects('production');

  /** Parts of the gateway that a mistake may change. */
  interface Gateway {
    pod: Partial<PodSpec>;
    container: { -readonly [Member in keyof Container]?: Container[Member] };
  }

  /** Overlay in which the gateway is changed as by a mistake. */
  function withGateway(change: (gateway: Gateway) => void): RenderedObject[] {
    const copy = structuredClone(objects);
    const gateway = copy.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway')!;
    const { template } = gateway.spec as { template: { spec: PodSpec } };
    change({ pod: template.spec, container: template.spec.containers[0]! });
    return copy;
  }

  it.each<[string, string, (gateway: Gateway) => void]>([
    ['a probe', 'has no livenessProbe', ({ container }) => delete container.livenessProbe],
    ['limits', 'has no limits of memory', ({ container }) => delete container.resources!.limits!.memory],
    ['a user', 'may run as root', ({ pod }) => delete pod.securityContext!.runAsNonRoot],
    [
      'a read-only image',
      'may write to its image',
      ({ container }) => delete container.securityContext!.readOnlyRootFilesystem,
    ],
    ['a spread', 'may end up on one machine', ({ pod }) => delete pod.topologySpreadConstraints],
    ['a version', 'has the image a.io/gateway:latest', ({ container }) => (container.image = 'a.io/gateway:latest')],
    ['a tag', 'has the image a.io/gateway', ({ container }) => (container.image = 'a.io/gateway')],
    [
      'a registry',
      'has the image clew/gateway:1.0 of no registry',
      ({ container }) => (container.image = 'clew/gateway:1.0'),
    ],
    [
      'settings that a change of renames',
      'would not notice a change of clew-settings',
      ({ container }) => (container.envFrom = [{ configMapRef: { name: 'clew-settings' } }]),
    ],
    [
      'a reference',
      'has AUTH_SECRET in clear',
      ({ container }) => container.env!.push({ name: 'AUTH_SECRET', value: 'x' }),
    ],
    ['no password', 'has X in clear', ({ container }) => container.env!.push({ name: 'X', value: 'amqp://a:b@c' })],
  ])('wants %s', (_what, complaint, change) => {
    expect(violations(withGateway(change))).toEqual([`Deployment gateway: ${complaint}`]);
  });

  const without = (left: (object: RenderedObject) => boolean) => violations(objects.filter((object) => !left(object)));

  it('wants a budget, and a default that denies', () => {
    expect(without(({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === 'gateway')).toEqual([
      'Deployment gateway: has no PodDisruptionBudget',
    ]);
    expect(without(({ metadata }) => metadata.name === 'default-deny')).toEqual([
      'NetworkPolicy: nothing is denied by default',
    ]);
  });

  it('wants no namespace among what a tool may prune', () => {
    const { labels } = objects[0]!.metadata;
    const added = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'clew', labels, annotations: {} } };
    expect(violations([...objects, added])).toEqual([
      'Namespace clew: would take all Secrets and volumes along when it is pruned',
    ]);
  });
});
