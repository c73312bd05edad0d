import { COMPONENT } from './kustomizations.ts';
import { imageOf } from './pod.ts';
import { AGENT, ENGINES } from './runtime-agent.ts';

const GPU_IMAGE = imageOf('model-runtime-agent-gpu');

/** Runs engines on a machine with a GPU, from an image with the compilers that vLLM needs. */
export function gpuKustomization(version: string) {
  return {
    ...COMPONENT,
    patches: [
      {
        target: AGENT,
        patch: [
          '- { op: add, path: /spec/template/spec/nodeSelector, value: { nvidia.com/gpu.present: "true" } }',
          '- op: add',
          '  path: /spec/template/spec/tolerations',
          '  value: [{ key: nvidia.com/gpu, operator: Exists, effect: NoSchedule }]',
          `- { op: replace, path: ${ENGINES}/image, value: ${GPU_IMAGE} }`,
          `- { op: add, path: ${ENGINES}/resources/limits/nvidia.com~1gpu, value: "1" }`,
          '',
        ].join('\n'),
      },
    ],
    images: [{ name: GPU_IMAGE, newTag: version }],
  };
}

export const GPU_NOTE = `Engines on a machine with an NVIDIA GPU. It needs the device plugin, and node labels nvidia.com/gpu.present: both
come with the NVIDIA GPU operator. Where its runtime is not the default one of the machines, take gpu-runtime-class too.`;

/** Uses the container runtime of NVIDIA, on machines where it is not the default runtime. */
export const GPU_RUNTIME_CLASS_KUSTOMIZATION = {
  ...COMPONENT,
  patches: [{ target: AGENT, patch: '- { op: add, path: /spec/template/spec/runtimeClassName, value: nvidia }\n' }],
};

export const GPU_RUNTIME_CLASS_NOTE = `It needs the RuntimeClass nvidia (kubectl get runtimeclass nvidia), without which the agent's pod is never made.`;
