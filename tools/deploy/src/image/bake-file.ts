import { IMAGES } from './image-content.ts';

const PLATFORMS = ['linux/amd64', 'linux/arm64'] as const;
/** Images of the runtime agent, with their Dockerfile targets; both hold the content of the agent's app. */
const AGENT_IMAGES = { 'model-runtime-agent': 'agent', 'model-runtime-agent-gpu': 'agent-gpu' } as const;
const AGENT_APP = 'model-runtime-svc';

/** Dockerfile arguments that are variables of the bake file; `bases.json` names the base images. */
const VARIABLES = {
  REGISTRY: 'clew',
  VERSION: '0.0.0',
  REVISION: 'unknown',
  SOURCE: '',
} as const;
const ARGUMENTS = ['BUILD_BASE', 'BASE', 'AGENT_BASE', 'VERSION', 'REVISION', 'SOURCE'] as const;

/** Every image, with its Dockerfile target and the app that it is made of. */
export const BAKED: readonly { readonly name: string; readonly target: string; readonly app: string }[] = [
  ...[...IMAGES.keys()].map((name) => ({ name, target: 'service', app: name })),
  ...Object.entries(AGENT_IMAGES).map(([name, target]) => ({ name, target, app: AGENT_APP })),
];

/** Bake file that builds every image for every platform with `docker buildx bake`. */
export function bakeFile(): object {
  return {
    variable: Object.fromEntries(Object.entries(VARIABLES).map(([name, value]) => [name, { default: value }])),
    group: { default: { targets: BAKED.map(({ name }) => name) } },
    target: {
      _common: {
        context: '.',
        dockerfile: 'deploy/docker/Dockerfile',
        platforms: PLATFORMS,
        args: Object.fromEntries(ARGUMENTS.map((name) => [name, `\${${name}}`])),
      },
      ...Object.fromEntries(BAKED.map(({ name, target, app }) => [name, targetOf(name, target, app)])),
    },
  };
}

function targetOf(name: string, target: string, app: string): object {
  return { inherits: ['_common'], target, args: { APP: app }, tags: [`\${REGISTRY}/${name}:\${VERSION}`] };
}
