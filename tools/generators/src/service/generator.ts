import { formatFiles, generateFiles, names, type Tree } from '@nx/devkit';
import { join } from 'node:path';

export interface ServiceOptions {
  /** Name of the process, such as `reports-svc`. */
  name: string;
  /** First path segment after the project, such as `reports`. */
  area: string;
}

const SERVICES = 'libs/contracts/src/services.ts';
/** New services are inserted before the services that run models and jobs. */
const BEFORE_ENTRY = "  'model-runtime-svc': {";
const PORT = /\bport: (\d+)/g;

/**
 * Creates a service: its app with tests, and its entry in the table of services, which the gateway, access lists,
 * development stack, generators and tests read. Declare its routes in `libs/contracts/src/<area>` afterwards; then `npm
 * run generate` adds them, its variables and its address to the documents.
 */
export default async function generateService(tree: Tree, { name, area }: ServiceOptions): Promise<void> {
  const folder = `apps/${name}`;
  if (tree.exists(folder)) throw new Error(`${folder} is there already`);
  const port = nextPort(tree);
  const { className, constantName } = names(area);
  generateFiles(tree, join(import.meta.dirname, 'files'), folder, {
    ...{ name, area, port, className, constantName },
    config: `${className}Config`,
    database: `clew_${area.replaceAll('-', '_')}`,
    // Extension of the templates, which keeps tools from treating them as source files.
    template: '',
  });
  addToTable(tree, { name, area, port });
  await formatFiles(tree);
}

function nextPort(tree: Tree): number {
  const ports = [...textOf(tree, SERVICES).matchAll(PORT)].map(([, port]) => Number(port));
  const first = Math.min(...ports);
  return (
    Array.from({ length: ports.length + 1 }, (_, index) => first + index).find((port) => !ports.includes(port)) ?? first
  );
}

function addToTable(tree: Tree, { name, area, port }: ServiceOptions & { port: number }): void {
  const table = textOf(tree, SERVICES);
  const entry = `  '${name}': { ...HTTP_SERVICE, database: 'clew_${area.replaceAll('-', '_')}', port: ${port} },\n`;
  if (!table.includes(BEFORE_ENTRY)) throw new Error(`${SERVICES} has no entry ${BEFORE_ENTRY.trim()}`);
  tree.write(SERVICES, table.replace(BEFORE_ENTRY, `${entry}${BEFORE_ENTRY}`));
}

function textOf(tree: Tree, path: string): string {
  const text = tree.read(path, 'utf8');
  if (text === null) throw new Error(`${path} is missing`);
  return text;
}
