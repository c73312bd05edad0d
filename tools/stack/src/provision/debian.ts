import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Unavailable } from '../system/errors.ts';
import { createDirectoryAtomic, findOnPath } from '../system/files.ts';
import { run } from '../system/run.ts';
import type { ProvisionContext } from './context.ts';

/** Some of Debian's packages and what they need, to be unpacked into a private directory. */
export interface PackageSet {
  /** Names the directories in the cache and among the unpacked packages. */
  name: string;
  roots: readonly string[];
  /**
   * Which packages of the closure are wanted, also where the system has them installed. Libraries that the system
   * lacks are always taken; everything else is left out.
   */
  wanted: RegExp;
  /** Changes the unpacked files before anybody sees them. */
  adapt?: (root: string) => void;
}

type DebianContext = Pick<ProvisionContext, 'cacheDirectory' | 'packagesDirectory' | 'env' | 'log' | 'signal'>;

const DOWNLOAD_TIMEOUT_MS = 180_000;

/** Whether this is Debian or one of its kin, whose packages we know how to unpack. */
function hasDebianPackages(env: NodeJS.ProcessEnv): boolean {
  return ['apt-get', 'apt-cache', 'dpkg'].every((tool) => findOnPath(tool, env['PATH']) !== undefined);
}

/**
 * Downloads the packages (apt checks them against the signed lists), keeps them in the cache and unpacks them under
 * the packages directory. Needs no root. Returns the directory that stands for `/`.
 */
export async function unpackPackages(set: PackageSet, context: DebianContext): Promise<string> {
  const root = path.join(packagesHome(context), set.name);
  if (fs.existsSync(root)) return root;
  if (!hasDebianPackages(context.env)) throw new Unavailable('this system has no apt-get and dpkg');
  const archives = await downloadPackages(set, context);
  context.log(`unpacking ${archives.length} of Debian's packages for ${set.name}`);
  await createDirectoryAtomic(root, async (temporary) => {
    // Two at a time: unpacking is bound by decompression.
    const queue = [...archives];
    const worker = async () => {
      for (let archive = queue.shift(); archive !== undefined; archive = queue.shift()) {
        await run('dpkg', ['-x', archive, temporary], { env: context.env, signal: context.signal });
      }
    };
    await Promise.all([worker(), worker()]);
    set.adapt?.(temporary);
  });
  return root;
}

// The scripts in the packages do not quote the paths they find themselves under.
function packagesHome(context: DebianContext): string {
  for (const directory of [context.packagesDirectory, path.join(context.cacheDirectory, 'packages')]) {
    if (!/\s/.test(directory)) return directory;
  }
  throw new Unavailable('the paths of CLEW_HOME and CLEW_CACHE hold spaces');
}

/** Directories of an unpacked tree that hold shared libraries, for LD_LIBRARY_PATH. */
export function libraryDirectories(root: string): string[] {
  const directories: string[] = [];
  for (const base of ['usr/lib', 'lib']) {
    const directory = path.join(root, base);
    if (!fs.existsSync(directory)) continue;
    for (const entry of fs.readdirSync(directory)) {
      if (entry.includes('-linux-gnu')) directories.push(path.join(directory, entry));
    }
  }
  return directories;
}

async function downloadPackages(set: PackageSet, context: DebianContext): Promise<string[]> {
  const directory = path.join(context.cacheDirectory, 'debian', `${set.name}-${await systemKey(context)}`);
  if (!fs.existsSync(directory)) {
    await createDirectoryAtomic(directory, async (temporary) => {
      await withPackageLists(set, context, async (aptOptions) => {
        const names = await packagesToTake(set, aptOptions, context);
        context.log(`downloading ${names.length} of Debian's packages for ${set.name}`);
        await run('apt-get', [...aptOptions, '-q', 'download', ...names], {
          cwd: temporary,
          env: aptEnvironment(context),
          signal: context.signal,
          timeoutMs: DOWNLOAD_TIMEOUT_MS,
        });
      });
    });
  }
  const archives = fs.readdirSync(directory).filter((file) => file.endsWith('.deb'));
  return archives.map((file) => path.join(directory, file)).toSorted();
}

// Packages of one release and architecture must not be unpacked on another.
async function systemKey(context: DebianContext): Promise<string> {
  const release = fs.existsSync('/etc/os-release') ? fs.readFileSync('/etc/os-release', 'utf8') : '';
  const { stdout } = await run('dpkg', ['--print-architecture'], { env: context.env, signal: context.signal });
  return createHash('sha256').update(release).update(stdout).digest('hex').slice(0, 12);
}

/**
 * Runs the work with the system's package lists, and when those are missing or too old to download by, again with
 * fresh lists in a private directory, which needs no root.
 */
async function withPackageLists(
  set: PackageSet,
  context: DebianContext,
  work: (aptOptions: readonly string[]) => Promise<void>,
): Promise<void> {
  const asRoot = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  try {
    await work(asRoot);
    return;
  } catch {
    context.signal.throwIfAborted();
    context.log(`the system's package lists do not serve ${set.name}; fetching fresh ones`);
  }
  const lists = fs.mkdtempSync(path.join(context.cacheDirectory, 'apt-lists-'));
  try {
    fs.mkdirSync(path.join(lists, 'lists', 'partial'), { recursive: true });
    fs.mkdirSync(path.join(lists, 'cache', 'archives', 'partial'), { recursive: true });
    const aptOptions = [...asRoot, '-o', `Dir::State::lists=${lists}/lists`, '-o', `Dir::Cache=${lists}/cache`];
    await run('apt-get', [...aptOptions, '-q', 'update'], {
      env: aptEnvironment(context),
      signal: context.signal,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    await work(aptOptions);
  } finally {
    fs.rmSync(lists, { recursive: true, force: true });
  }
}

async function packagesToTake(
  set: PackageSet,
  aptOptions: readonly string[],
  context: DebianContext,
): Promise<string[]> {
  const options = { env: aptEnvironment(context), signal: context.signal };
  const closure = await run('apt-cache', [...aptOptions, 'depends', '--recurse', '--important', ...set.roots], options);
  const simulation = [...aptOptions, 'install', '-s', '--no-install-recommends', ...set.roots];
  // A system whose own packages do not fit together gives no plan; then its libraries are taken as they are.
  const plan = await run('apt-get', simulation, options).catch(() => ({ stdout: '' }));
  const names = selectPackages(closure.stdout, plan.stdout, set.wanted);
  if (names.length === 0) throw new Unavailable(`${set.roots.join(', ')} is already here`);
  return names;
}

/**
 * Picks what has to be unpacked: the wanted packages from the closure that `apt-cache depends` lists, and the
 * libraries that a simulated `apt-get install` would add to this system.
 */
export function selectPackages(closure: string, installPlan: string, wanted: RegExp): string[] {
  const inClosure = closure.split('\n').filter((line) => /^[a-z0-9]/.test(line) && !line.includes(':'));
  const missing = installPlan.split('\n').flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []);
  const names = [...inClosure.filter((name) => wanted.test(name)), ...missing.filter((name) => name.startsWith('lib'))];
  return [...new Set(names)].toSorted();
}

// Messages are shown to people as they are; the tools must not ask anything.
function aptEnvironment(context: DebianContext): NodeJS.ProcessEnv {
  return { ...context.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
}
