import { IMAGES } from './image-content.ts';

const PLATFORMS = ['linux/amd64', 'linux/arm64'] as const;
/** App with its own target in the Dockerfile, and with a second image for GPUs. */
const AGENT_APP = 'model-runtime-agent';

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
  ...[...IMAGES.keys()].map((name) => ({ name, target: name === AGENT_APP ? 'agent' : 'service', app: name })),
  { name: `${AGENT_APP}-gpu`, target: 'agent-gpu', app: AGENT_APP },
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
