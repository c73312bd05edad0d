import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

const KIB = 1_024;

/** Compressed sizes of what is loaded, in KiB: at the beginning, for each further page at most, and all together. */
export interface Sizes {
  readonly initialJsKib: number;
  readonly largestPageKib: number;
  readonly largestPage: string;
  readonly allJsKib: number;
  readonly cssKib: number;
}

/** Reads the sizes from the manifest of a build. */
export function sizesOf(folder: string): Sizes {
  const manifest = JSON.parse(readFileSync(join(folder, 'assets/manifest.json'), 'utf8')) as Manifest;
  const gzipped = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const known = gzipped.get(file) ?? gzipSync(readFileSync(join(folder, file))).length / KIB;
    gzipped.set(file, known);
    return known;
  };
  const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);
  const names = Object.keys(manifest);
  const entry = names.filter((name) => manifest[name]?.isEntry === true);
  // Home comes with the entry.
  const initial = filesOf(manifest, entry);
  const pages = names
    .filter((name) => manifest[name]?.isDynamicEntry === true)
    .map((name) => ({ name, kib: total([...filesOf(manifest, [name])].filter((file) => !initial.has(file))) }))
    .toSorted((one, other) => other.kib - one.kib);
  const css = new Set(names.flatMap((name) => manifest[name]?.css ?? []));
  const scripts = new Set(names.map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js')));
  return {
    initialJsKib: total(initial),
    largestPageKib: pages[0]?.kib ?? 0,
    largestPage: pages[0]?.name ?? '',
    allJsKib: total(scripts),
    cssKib: total(css),
  };
}

/** Script files that are loaded with some chunks, with all that these import. */
function filesOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(manifest[name]?.imports ?? []));
  }
  return new Set([...seen].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js')));
}
