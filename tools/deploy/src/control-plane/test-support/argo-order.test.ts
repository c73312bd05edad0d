import { expect, it } from '@jest/globals';
import { tasksOf } from './argo-order.ts';

const object = (kind: string, name: string, wave?: number, options?: string) => ({
  ...{ apiVersion: 'v1', kind },
  metadata: {
    name,
    annotations: {
      ...(wave === undefined ? {} : { 'argocd.argoproj.io/sync-wave': String(wave) }),
      ...(options === undefined ? {} : { 'argocd.argoproj.io/sync-options': options }),
    },
  },
});

it('a sync goes by waves, kinds and names, and prunes in the reverse order of waves, what is pruned last at the end', () => {
  const wanted = [object('Job', 'b', -1), object('Deployment', 'c'), object('Service', 'd'), object('Job', 'a', -1)];
  const pruned = [
    object('Job', 'early', -3),
    object('Job', 'late', -1),
    object('ConfigMap', 'last', -4, 'PruneLast=true'),
  ];
  const order = tasksOf(wanted, pruned).map((task) => `${task.isPrune ? 'prune ' : ''}${task.object.metadata.name}`);
  expect(order).toEqual(['prune late', 'prune early', 'a', 'b', 'd', 'c', 'prune last']);
});
