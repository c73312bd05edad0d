import { SERVICE_NAMES } from '@clew/contracts/services';

/** Content of one image: workspace folders, and files besides the compiled code. */
export interface ImageContent {
  /** Folder of the workspace that the image runs; `app` in the image links to it. */
  readonly main: string;
  /** Further workspaces that it starts by path. */
  readonly alongside: readonly string[];
  /** Files and folders that are read at run time and are not compiled, by their path in the checkout. */
  readonly assets: readonly string[];
}

/** The command line has its own image, together with the apps whose commands it starts. */
const CLI: ImageContent = {
  main: 'libs/operator',
  alongside: ['apps/gateway', 'apps/model-runtime-svc', 'apps/diagnostics-svc'],
  assets: [],
};

const ASSETS: Readonly<Record<string, readonly string[]>> = {
  gateway: ['docs/openapi/v1.json'],
  // Programs that install and start the engines written in Python.
  'model-runtime-agent': ['apps/model-runtime-agent/engines'],
};

/** Images: one for each app, and `cli`. */
export const IMAGES: ReadonlyMap<string, ImageContent> = new Map([
  ...SERVICE_NAMES.map((name) => [name, { main: `apps/${name}`, alongside: [], assets: ASSETS[name] ?? [] }] as const),
  ['cli', CLI] as const,
]);
