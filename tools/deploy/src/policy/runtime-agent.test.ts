import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { brokerRights } from '../access/broker-rights.ts';
import { workloadObjects } from '../manifests/base.ts';
import { GPU_RUNTIME_CLASS_KUSTOMIZATION, gpuKustomization } from '../manifests/gpu.ts';
import { NODE, NODES } from '../access/nodes.ts';
import { WORKLOADS } from '../manifests/workloads.ts';
import { RenderedObject, workloadsOf } from './objects.ts';

const workload = WORKLOADS.find(({ name }) => name === 'model-runtime-agent')!;
const objects = workloadObjects(workload).map((object) => RenderedObject.parse(object));
const [{ pod }] = workloadsOf(objects) as [ReturnType<typeof workloadsOf>[number]];
const [agent] = pod.containers as [(typeof pod.containers)[number]];
const [home, engines] = pod.initContainers as [typeof agent, typeof agent];

const mountsOf = ({ volumeMounts = [] }: typeof agent) =>
  Object.fromEntries(volumeMounts.map(({ name, mountPath }) => [mountPath, name]));
const valueOf = ({ env = [] }: typeof agent, variable: string) => env.find(({ name }) => name === variable);
const volumeOf = (name: string) => pod.volumes?.find((volume) => volume.name === name);

describe('the pod of the runtime agent', () => {
  it('runs engines in a container of another user that holds no secret, no identity and no settings', () => {
    const { runAsUser, runAsGroup } = z
      .looseObject({ runAsUser: z.number(), runAsGroup: z.number() })
      .parse(engines.securityContext);
    expect(runAsUser).not.toBe(pod.securityContext?.runAsUser);
    expect(runAsGroup).toBe(10_001);
    expect(engines.env?.every(({ value, valueFrom }) => value !== undefined && valueFrom === undefined)).toBe(true);
    expect(engines['envFrom']).toBeUndefined();
    const mounted = Object.values(mountsOf(engines)).map(volumeOf);
    const kinds = mounted.flatMap((volume) => Object.keys(volume ?? {}).filter((key) => key !== 'name'));
    expect(new Set(kinds)).toEqual(new Set(['emptyDir']));
    expect(pod['shareProcessNamespace']).toBe(false);
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('gives the agent derived keys in a file, and the secret that they derive from to nobody', () => {
    expect(JSON.stringify(pod)).not.toContain('AUTH_SECRET');
    expect(JSON.stringify(pod)).not.toContain('clew-auth');
    const file = valueOf(agent, 'AGENT_KEYS_FILE')?.value ?? '';
    expect(mountsOf(agent)[file.slice(0, file.lastIndexOf('/'))]).toBe('agent-keys');
    expect(volumeOf('agent-keys')).toMatchObject({ secret: { secretName: 'clew-agent-keys' } });
    expect(Object.values(mountsOf(engines))).not.toContain('agent-keys');
  });

  it('has both containers agree on where the socket and the models are, with the home made by the agent first', () => {
    for (const variable of ['ENGINE_SOCKET', 'MODEL_HOME']) {
      expect(valueOf(agent, variable)?.value).toBe(valueOf(engines, variable)?.value);
    }
    const socket = valueOf(engines, 'ENGINE_SOCKET')?.value ?? '';
    const folder = socket.slice(0, socket.lastIndexOf('/'));
    expect([mountsOf(agent)[folder], mountsOf(engines)[folder]]).toEqual(['run', 'run']);
    expect(home.command).toEqual(['mkdir', '-p', valueOf(agent, 'MODEL_HOME')?.value]);
    expect(home.securityContext).not.toHaveProperty('runAsUser');
    // Otherwise each mount would open files to the group that the agent has closed to engines.
    expect(pod.securityContext).toMatchObject({ fsGroupChangePolicy: 'OnRootMismatch' });
    // A container that starts before the agent and ends after it.
    expect(engines['restartPolicy']).toBe('Always');
  });

  it('has room for what vLLM installs, compiles and shares: the volume, and memory between its processes', () => {
    expect(mountsOf(engines)['/dev/shm']).toBe('shared-memory');
    expect(volumeOf('shared-memory')).toMatchObject({ emptyDir: { medium: 'Memory', sizeLimit: '2Gi' } });
    expect(mountsOf(engines)['/models']).toBe('data');
  });

  it('is a node of its own, named as the pod is, whose queue it may declare and whose engines are reached by its name', () => {
    expect(valueOf(agent, 'MODEL_NODE')?.valueFrom?.fieldRef).toEqual({ fieldPath: 'metadata.name' });
    expect(valueOf(agent, 'MODEL_REACH_HOST')?.value).toBe('$(MODEL_NODE).model-runtime-agent');
    const order = agent.env?.map(({ name }) => name) ?? [];
    expect(order.indexOf('MODEL_NODE')).toBeLessThan(order.indexOf('MODEL_REACH_HOST'));
    const { configure } = brokerRights('model-runtime-agent', NODES);
    for (const node of NODES) expect(`model-runtime-agent.${node}.commands.v1`).toMatch(new RegExp(configure));
    expect(NODES).toContain(NODE);
    const api = WORKLOADS.find(({ name }) => name === 'model-runtime-svc');
    expect(api?.environment['MODEL_NODE']).toBe(NODE);
  });
});

describe('the GPU', () => {
  it('goes to the container of engines, from an image of the version that can compile, without a RuntimeClass', () => {
    const { patches, images } = gpuKustomization('1.2.3');
    const [{ patch } = { patch: '' }] = patches;
    expect(pod.initContainers?.[1]?.name).toBe('engines');
    expect(patch).toContain('initContainers/1/resources/limits/nvidia.com~1gpu');
    expect(patch).toContain('initContainers/1/image, value: registry.invalid/clew/model-runtime-agent-gpu');
    expect(images).toEqual([{ name: 'registry.invalid/clew/model-runtime-agent-gpu', newTag: '1.2.3' }]);
    expect(patch).not.toContain('runtimeClassName');
    expect(JSON.stringify(GPU_RUNTIME_CLASS_KUSTOMIZATION)).toContain('runtimeClassName, value: nvidia');
    expect(JSON.stringify(pod)).not.toContain('runtimeClassName');
  });
});
