import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PYTHONS } from '../engine-host/index.ts';
import { printedBy } from '../processes/index.ts';
import { TaskFailure } from '../reconcile/index.ts';
import type { DriverOptions, InstallContext } from './driver.ts';

const LOOK_TIMEOUT_MS = 30_000;
const LAST_LINES = 5;

/** Versions of Python 3 for which packages are pinned, by their minor number. */
export interface PythonRange {
  min: number;
  /** Absent means any newer version. */
  max?: number;
}
const ANY_PYTHON: PythonRange = { min: 10 };

/** Script that prints the version and whether this Python can create an environment with pip in it. */
const LOOK = `
import importlib.util, sys
print(sys.version_info[0], sys.version_info[1], all(importlib.util.find_spec(n) for n in ("venv", "ensurepip")))
`;

/** Finds a Python that can create environments: the configured one, else the first suitable one on PATH. */
async function findPython(context: InstallContext, named: string | undefined, range: PythonRange): Promise<string> {
  for (const candidate of named === undefined ? PYTHONS : [named]) {
    if (await canMakeEnvironments(context, candidate, range)) return candidate;
  }
  throw new TaskFailure('PYTHON_NOT_FOUND', wanted(range));
}

function wanted({ min, max }: PythonRange): string {
  const versions = max === undefined ? `3.${min} or newer` : `3.${min} to 3.${max}`;
  return (
    `Python ${versions} with venv and pip is needed: please install it (Debian: python3, python3-venv), or name it in ` +
    'MODEL_PYTHON'
  );
}

async function canMakeEnvironments(
  { host, folder }: InstallContext,
  file: string,
  { min, max = Infinity }: PythonRange,
): Promise<boolean> {
  const printed = await printedBy(host, [file, '-I', '-c', LOOK], { cwd: folder, timeoutMs: LOOK_TIMEOUT_MS });
  const [major, minor, complete] = printed?.trim().split(' ') ?? [];
  return major === '3' && Number(minor) >= min && Number(minor) <= max && complete === 'True';
}

export interface PythonPackages {
  /** Pinned packages, each with its hashes. */
  requirementsFile: string;
  /** Supported versions; by default any from 3.10 on. */
  pythonRange?: PythonRange;
  /** Distribution whose version is checked at the end. */
  distribution: string;
  module: string;
  version: string;
}

/** Path of the Python in an environment. */
export function environmentPython(folder: string): string {
  return join(folder, 'venv', 'bin', 'python');
}

/** Creates an environment in the folder and installs the packages from the registry that pip is configured for. */
export async function installPackages(
  context: InstallContext,
  packages: PythonPackages,
  { python: namedPython, registry = {} }: DriverOptions,
): Promise<void> {
  const { folder, host } = context;
  const python = await findPython(context, namedPython, packages.pythonRange ?? ANY_PYTHON);
  const own = environmentPython(folder);
  const venv = join(folder, 'venv');
  await mkdir(venv);
  await host.share(venv);
  context.stage('making an environment');
  await runStep(context, 'The environment could not be made', [python, '-I', '-m', 'venv', venv]);
  context.stage('installing packages');
  const pip = [own, '-I', '-u', '-m', 'pip', 'install', '--no-input', '--disable-pip-version-check'] as const;
  const pinned = ['--no-cache-dir', '--only-binary', ':all:', '--require-hashes'] as const;
  const install = [...pip, ...pinned, '-r', packages.requirementsFile] as const;
  await runStep(context, 'The packages could not be installed', install, registry);
  context.stage('checking');
  const check = `import importlib.metadata, ${packages.module}; assert importlib.metadata.version("${packages.distribution}") == "${packages.version}"`;
  await runStep(context, 'The packages do not work on this machine', [own, '-I', '-c', check]);
}

async function runStep(
  context: InstallContext,
  failure: string,
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  context.signal.throwIfAborted();
  const last: string[] = [];
  const child = await context.host.start({
    ...{ command, env },
    cwd: context.folder,
    onLine(line) {
      context.line(line);
      if (line.trim() !== '') last.push(line.trim());
      if (last.length > LAST_LINES) last.shift();
    },
  });
  const stop = () => void child.stop();
  context.signal.addEventListener('abort', stop, { once: true });
  const { code } = await child.exited;
  context.signal.removeEventListener('abort', stop);
  context.signal.throwIfAborted();
  if (code === 0) return;
  // A process that was killed may well succeed at the next attempt.
  const retry = code === null ? 'backoff' : 'never';
  throw new TaskFailure('INSTALL_FAILED', `${failure}: ${reasonOf(last)}`, { retry });
}

/**
 * Finds the reason of a failure: pip reports errors in lines that begin with ERROR, other programs in their last line.
 */
function reasonOf(lines: readonly string[]): string {
  const errors = lines.filter((line) => /^(?:ERROR|error)\b/.test(line));
  return (errors.length > 0 ? errors : lines.slice(-1)).join(' ').slice(0, 500) || 'it printed nothing';
}
