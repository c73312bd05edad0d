import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Unavailable } from '../system/errors.ts';
import { createDirectoryAtomic, findOnPath } from '../system/files.ts';
import { run } from '../system/run.ts';
import type { ProvisionContext } from './context.ts';

/** Debian packages with their dependencies, to be unpacked into a private directory. */
export interface PackageSet {
  /** Name of the directories in the cache and among the unpacked packages. */
  name: string;
  roots: readonly string[];
  /**
   * Wanted packages among the dependencies, even if the system has them installed. Libraries that the system lacks are
   * always included; everything else is left out.
   */
  wanted: RegExp;
  /** Changes the unpacked files before they become visible. */
  adapt?: (root: string) => void;
}

type DebianContext = Pick<ProvisionContext, 'cacheDirectory' | 'packagesDirectory' | 'env' | 'log' | 'signal'>;

const DOWNLOAD_TIMEOUT_MS = 180_000;

/** Whether this is Debian or a derivative with the tools to unpack its packages. */
function hasDebianPackages(env: NodeJS.ProcessEnv): boolean {
  return ['apt-get', 'apt-cache', 'dpkg'].every((tool) => findOnPath(tool, env['PATH']) !== undefined);
}

/**
 * Downloads the packages (apt verifies them with the signed lists), keeps them in the cache and unpacks them in the
 * packages directory, without root. Returns the directory that stands for `/`.
 */
export async function unpackPackages(set: PackageSet, context: DebianContext): Promise<string> {
  const root = path.join(packagesHome(context), set.name);
  if (fs.existsSync(root)) return root;
  if (!hasDebianPackages(context.env)) throw new Unavailable('this system has no apt-get and dpkg');
  const archives = await downloadPackages(set, context);
  context.log(`unpacking ${archives.length} of Debian's packages for ${set.name}`);
  await createDirectoryAtomic(root, async (temporary) => {
    // Unpacks two packages at a time: decompression is the bottleneck.
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

// Scripts in the packages do not quote their own paths, so the directory must not contain spaces.
function packagesHome(context: DebianContext): string {
  for (const directory of [context.packagesDirectory, path.join(context.cacheDirectory, 'packages')]) {
    if (!/\s/.test(directory)) return directory;
  }
  throw new Unavailable('the paths of CLEW_HOME and CLEW_CACHE hold spaces');
}

/** Directories of an unpacked tree that contain shared libraries, for LD_LIBRARY_PATH. */
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

// Key of release and architecture: packages of one system must not be unpacked on another.
async function systemKey(context: DebianContext): Promise<string> {
  const release = fs.existsSync('/etc/os-release') ? fs.readFileSync('/etc/os-release', 'utf8') : '';
  const { stdout } = await run('dpkg', ['--print-architecture'], { env: context.env, signal: context.signal });
  return createHash('sha256').update(release).update(stdout).digest('hex').slice(0, 12);
}

/**
 * Runs the work with the system's package lists. If these are missing or too old for downloads, runs it again with new
 * lists in a private directory, without root.
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
  // A system with inconsistent packages gives no plan; then its libraries are used as they are.
  const plan = await run('apt-get', simulation, options).catch(() => ({ stdout: '' }));
  const names = selectPackages(closure.stdout, plan.stdout, set.wanted);
  if (names.length === 0) throw new Unavailable(`${set.roots.join(', ')} is already here`);
  return names;
}

/**
 * Selects the packages to unpack: wanted ones among the dependencies that `apt-cache depends` lists, and libraries that
 * a simulated `apt-get install` would add to this system.
 */
export function selectPackages(closure: string, installPlan: string, wanted: RegExp): string[] {
  const inClosure = closure.split('\n').filter((line) => /^[a-z0-9]/.test(line) && !line.includes(':'));
  const missing = installPlan.split('\n').flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []);
  const names = [...inClosure.filter((name) => wanted.test(name)), ...missing.filter((name) => name.startsWith('lib'))];
  return [...new Set(names)].toSorted();
}

// The tools must not ask questions, and their messages are shown unchanged.
function aptEnvironment(context: DebianContext): NodeJS.ProcessEnv {
  return { ...context.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
}
