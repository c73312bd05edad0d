import { expect, it } from '@jest/globals';
import type { Pod } from './objects.ts';
import { reaches } from './reach.ts';

const pod = (name: string, isReady = true): Pod => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { name } }, spec: { containers: [] } },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

const policy = (name: string, spec: object) => ({
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name } },
  spec: { podSelector: { matchLabels: { name } }, policyTypes: ['Ingress', 'Egress'], ...spec },
});

const ports = [{ port: 27_017 }];
const to = (name: string) => [{ podSelector: { matchLabels: { name } } }];
const OUT = policy('app', { egress: [{ to: to('mongodb'), ports }] });
const IN = policy('mongodb', { ingress: [{ from: to('app'), ports }] });
const SERVICE = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'mongodb' } },
  spec: { selector: { name: 'mongodb' } },
};
const INSIDE = 'mongodb://user:password@mongodb/?replicaSet=rs0';

it.each([
  ['lets a call through that both policies allow', INSIDE, [OUT, IN], true],
  ['holds a call up that the policy of the caller leaves out', INSIDE, [policy('app', {}), IN], false],
  ['holds a call up that the policy of the server leaves out', INSIDE, [OUT, policy('mongodb', {})], false],
  ['holds a call up to another port', INSIDE.replace('@mongodb', '@mongodb:27018'), [OUT, IN], false],
  [
    'lets a call out where a block of addresses is named',
    'amqps://a.example.com',
    [policy('app', { egress: [{ to: [{ ipBlock: {} }] }] })],
    true,
  ],
  ['holds a call up to an address outside that none allows', 'mongodb://a.example.com', [OUT], false],
])('a player of machines %s', (_guarantee, address, policies, isThrough) => {
  const around = { pods: [pod('mongodb')], services: [SERVICE], policies };
  expect(reaches(pod('app'), address, around)).toBe(isThrough);
});

it('a server is reached when it is ready and has a Service', () => {
  const around = { pods: [pod('mongodb', false)], services: [SERVICE], policies: [] };
  expect(reaches(pod('app'), INSIDE, around)).toBe(false);
  expect(reaches(pod('app'), INSIDE, { ...around, pods: [pod('mongodb')] })).toBe(true);
  expect(reaches(pod('app'), INSIDE, { ...around, pods: [pod('mongodb')], services: [] })).toBe(false);
});
