import { z } from 'zod';

const Dependencies = z.record(z.string(), z.string()).optional();

/** Used members of a lock entry; all others are kept as they are. */
const LockEntry = z.looseObject({
  link: z.boolean().optional(),
  resolved: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
  peerDependencies: Dependencies,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).optional(),
});
type LockEntry = z.infer<typeof LockEntry>;

/** A package-lock.json of version 3. */
export const Lock = z.looseObject({
  name: z.string(),
  version: z.string(),
  lockfileVersion: z.literal(3),
  packages: z.record(z.string(), LockEntry),
});
export type Lock = z.infer<typeof Lock>;

export interface PrunedLock {
  readonly lock: Lock;
  /** Folders of the remaining workspaces. */
  readonly workspaces: readonly string[];
}

/**
 * Lock file for a workspace with only the given folders, the workspaces they depend on, and the production dependencies
 * of all of these, each in the version and place of the full lock file.
 */
export function pruneLock(whole: Lock, folders: readonly string[]): PrunedLock {
  const kept = reachable(whole.packages, folders);
  const workspaces = [...kept].filter((path) => !path.includes('node_modules/')).sort();
  const paths = Object.keys(whole.packages).filter((path) => kept.has(path));
  const { name, version } = whole;
  const root = { name, version, workspaces: [...workspaces] };
  const packages = paths.map((path) => [path, production(entryOf(whole.packages, path))] as const);
  return {
    lock: { ...whole, packages: Object.fromEntries([['', root], ...packages]) },
    workspaces,
  };
}

function reachable(packages: Lock['packages'], folders: readonly string[]): Set<string> {
  const kept = new Set<string>();
  const open = folders.flatMap((folder) => [folder, linkTo(packages, folder)]);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (kept.has(path)) continue;
    kept.add(path);
    const entry = entryOf(packages, path);
    if (entry.link === true && entry.resolved !== undefined) open.push(entry.resolved);
    else open.push(...needsOf(packages, path, entry));
  }
  return kept;
}

function linkTo(packages: Lock['packages'], folder: string): string {
  const link = Object.entries(packages).find(([, entry]) => entry.link === true && entry.resolved === folder);
  if (link === undefined) throw new Error(`${folder} is no workspace of the lock`);
  return link[0];
}

function needsOf(packages: Lock['packages'], path: string, entry: LockEntry): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {});
  const must = [
    ...Object.keys(entry.dependencies ?? {}).filter((name) => entry.optionalDependencies?.[name] === undefined),
    ...peers.filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true),
  ];
  const found = must.map((name) => {
    const place = resolve(packages, path, name);
    if (place === undefined) throw new Error(`The lock lacks ${name}, which ${path} needs`);
    return place;
  });
  const optional = Object.keys(entry.optionalDependencies ?? {}).map((name) => resolve(packages, path, name));
  return [...found, ...optional.filter((place) => place !== undefined)];
}

/** Path at which Node finds a package: in the nearest node_modules on the way up. */
function resolve(packages: Lock['packages'], from: string, name: string): string | undefined {
  const segments = from.split('/');
  for (let length = segments.length; length >= 0; length -= 1) {
    if (segments[length - 1] === 'node_modules') continue;
    const place = [...segments.slice(0, length), 'node_modules', name].join('/');
    if (packages[place] !== undefined) return place;
  }
  return undefined;
}

function entryOf(packages: Lock['packages'], path: string): LockEntry {
  const entry = packages[path];
  if (entry === undefined) throw new Error(`The lock lacks ${path}`);
  return entry;
}

/** Marks an entry as a production dependency, whatever it was in the full lock file. */
function production(entry: LockEntry): LockEntry {
  const { devDependencies, dev, devOptional, peer, ...rest } = entry;
  void [devDependencies, dev, devOptional, peer];
  return rest;
}
