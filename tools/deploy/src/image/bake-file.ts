import { IMAGES } from './image-content.ts';

const PLATFORMS = ['linux/amd64', 'linux/arm64'] as const;
/** The app whose image is another target of the Dockerfile than those of services, and comes for GPUs besides. */
const AGENT_APP = 'model-runtime-agent';

/** Arguments of the Dockerfile that are variables of the bake file; `bases.json` names the bases. */
const VARIABLES = {
  REGISTRY: 'clew',
  VERSION: '0.0.0',
  REVISION: 'unknown',
  SOURCE: '',
} as const;
const ARGUMENTS = ['BUILD_BASE', 'BASE', 'AGENT_BASE', 'VERSION', 'REVISION', 'SOURCE'] as const;

/** The name of every image, with the target of the Dockerfile and the app that it is made of. */
export const BAKED: readonly { readonly name: string; readonly target: string; readonly app: string }[] = [
  ...[...IMAGES.keys()].map((name) => ({ name, target: name === AGENT_APP ? 'agent' : 'service', app: name })),
  { name: `${AGENT_APP}-gpu`, target: 'agent-gpu', app: AGENT_APP },
];

/** What builds every image for every platform: `docker buildx bake`. */
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
