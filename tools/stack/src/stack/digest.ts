import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Folders that hold no sources, wherever they are; hidden ones are those of tools. */
const NO_SOURCES: ReadonlySet<string> = new Set(['node_modules', 'dist']);

/** Digest of the names and contents of files and folders, which are given by their path in the root. */
export function digestOfSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(root, source))) {
    const content = fs.readFileSync(path.join(root, file));
    hash.update(`${JSON.stringify([file, content.length])}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

/** Files of a source, by their path in the root, always in the same order. */
function filesOf(root: string, source: string): string[] {
  const stats = fs.statSync(path.join(root, source), { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return stats?.isFile() === true ? [source] : [];
  return fs
    .readdirSync(path.join(root, source))
    .filter((name) => !NO_SOURCES.has(name) && !name.startsWith('.'))
    .toSorted()
    .flatMap((name) => filesOf(root, path.join(source, name)));
}
