import { SERVICE_NAMES, type ServiceName } from '@clew/contracts/services';

/** Folder of the built Workbench in `/app` of an image that serves it. */
export const WORKBENCH_FOLDER = 'workbench';

/** Content of one image: workspace folders, and files besides the compiled code. */
export interface ImageContent {
  /** Folder of the workspace that the image runs; `app` in the image links to it. */
  readonly main: string;
  /** Further workspaces that it starts by path. */
  readonly alongside: readonly string[];
  /** Files and folders that are read at run time and are not compiled, by their path in the checkout. */
  readonly assets: readonly string[];
  /** Whether it serves the built Workbench. */
  readonly workbench?: boolean;
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
export const IMAGES: ReadonlyMap<string, ImageContent> = new Map<string, ImageContent>([
  ...SERVICE_NAMES.map((name) => [name, contentOf(name)] as const),
  ['cli', CLI] as const,
]);

function contentOf(name: ServiceName): ImageContent {
  return { main: `apps/${name}`, alongside: [], assets: ASSETS[name] ?? [], workbench: name === 'gateway' };
}
