import { SERVICE_NAMES } from '@clew/contracts/services';

/** What one image is made of: folders of workspaces, and files beside what is compiled. */
export interface ImageContent {
  /** The workspace that the image runs, by its folder; `app` in the image leads to it. */
  readonly main: string;
  /** Further workspaces that it starts by path. */
  readonly alongside: readonly string[];
  /** Files and folders that are read at run time and are not compiled, by their path in the checkout. */
  readonly assets: readonly string[];
}

/** The command line is an image of its own, with the apps whose commands it starts. */
const CLI: ImageContent = {
  main: 'libs/cli',
  alongside: ['apps/gateway', 'apps/model-runtime-svc'],
  assets: [],
};

const ASSETS: Readonly<Record<string, readonly string[]>> = {
  gateway: ['docs/openapi/v1.json'],
  // Package lists and programs of the engines that are Python.
  'model-runtime-agent': ['apps/model-runtime-agent/engines'],
};

/** The images: one for each app, and `cli`. */
export const IMAGES: ReadonlyMap<string, ImageContent> = new Map([
  ...SERVICE_NAMES.map((name) => [name, { main: `apps/${name}`, alongside: [], assets: ASSETS[name] ?? [] }] as const),
  ['cli', CLI] as const,
]);
