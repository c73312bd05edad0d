import { formatFiles, generateFiles, names, type Tree } from '@nx/devkit';
import { join } from 'node:path';

export interface ServiceOptions {
  /** The name of the process: `reports-svc`. */
  name: string;
  /** The first word after the project in its paths: `reports`. */
  area: string;
}

const SERVICES = 'libs/contracts/src/services.ts';
/** New services come before those that run models and jobs. */
const BEFORE_ENTRY = "  'model-runtime-svc': {";
const PORT = /\bport: (\d+)/g;

/**
 * Makes a service: its app, with tests, and its entry in the table of services, which gateway, access lists, development
 * stack, generators and tests read. Its routes are declared in `libs/contracts/src/<area>` afterwards; `npm run generate`
 * then tells them, its variables and its address in the documents.
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
    // Templates end in this, so that no tool takes them for what they become.
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
