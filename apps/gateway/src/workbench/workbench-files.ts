import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ConfigError } from '@clew/runtime';

/** Content codings that the build may have made of an asset beside it, by the ending of that file. */
const ENCODED = { '.br': 'br', '.gz': 'gzip' } as const;
export type Encoding = (typeof ENCODED)[keyof typeof ENCODED];

export interface Asset {
  content: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
}

/** Built Workbench: its one page, and all other files by the path at which they are served. */
export interface WorkbenchFiles {
  indexHtml: string;
  assets: ReadonlyMap<string, Asset>;
}

/** Element by which the page finds its assets and the API, which names the root of the origin in what is built. */
export const BASE_ELEMENT = /<base href="\/"(?: ?\/)?>/g;
const NAMED_ASSET = /(?:src|href)="(?:\.\/)?(assets\/[^"]{1,200})"/g;
/** Bound of what is kept in memory: many times a Workbench, and far below the memory of a gateway. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads the folder of a built Workbench, whole and once: what is served are the regular files that are there now,
 * whatever becomes of the folder later, and never what a symbolic link leads to. Throws ConfigError if the folder is
 * missing or incomplete.
 */
export function readWorkbench(folder: string): WorkbenchFiles {
  const problem = (text: string) => new ConfigError([`WORKBENCH_DIR: ${folder} ${text}`]);
  try {
    const root = realpathSync(folder);
    const indexFile = join(root, 'index.html');
    if (!lstatSync(indexFile).isFile()) throw problem('has an index.html that is no file');
    const files = filesBelow(join(root, 'assets'));
    const bytes = [indexFile, ...files].reduce((sum, file) => sum + lstatSync(file).size, 0);
    if (bytes > MAX_BYTES) throw problem(`holds more than ${MAX_BYTES / 1024 / 1024} MiB`);
    const indexHtml = readFileSync(indexFile, 'utf8');
    const assets = assetsOf(root, files);
    requireComplete(indexHtml, assets, problem);
    return { indexHtml, assets };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw problem(`is no folder with index.html and assets that can be read (${code}); build the Workbench first`);
  }
}

/** Regular files of a folder and the folders in it. Node's own recursion would follow symbolic links to folders. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

function assetsOf(root: string, files: readonly string[]): Map<string, Asset> {
  const contents = new Map(
    files.map((file): [string, Buffer] => [`/${relative(root, file).split(sep).join('/')}`, readFileSync(file)]),
  );
  const endings = Object.entries(ENCODED);
  const isEncoded = (path: string) =>
    endings.some(([ending]) => path.endsWith(ending) && contents.has(path.slice(0, -3)));
  const encodedOf = (path: string) =>
    Object.fromEntries(
      endings.flatMap(([ending, encoding]) => {
        const content = contents.get(`${path}${ending}`);
        return content === undefined ? [] : [[encoding, content]];
      }),
    );
  return new Map(
    [...contents]
      .filter(([path]) => !isEncoded(path))
      .map(([path, content]) => [path, { content, encoded: encodedOf(path) }]),
  );
}

function requireComplete(
  indexHtml: string,
  assets: ReadonlyMap<string, Asset>,
  problem: (text: string) => ConfigError,
): void {
  if ([...indexHtml.matchAll(BASE_ELEMENT)].length !== 1) {
    throw problem('has an index.html without exactly one <base href="/">; build the Workbench again');
  }
  const named = [...indexHtml.matchAll(NAMED_ASSET)].map(([, path]) => path ?? '');
  const missing = named.find((path) => !assets.has(`/${path}`));
  if (missing !== undefined) throw problem(`lacks ${missing}, which its index.html names; build the Workbench again`);
  if (named.length === 0) throw problem('has an index.html that names no assets; build the Workbench again');
}
