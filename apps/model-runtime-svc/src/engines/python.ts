import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TaskFailure } from '../agent/task.ts';
import { inheritedEnvironment, startChild } from '../processes/child.ts';
import { findExecutable } from '../processes/find-executable.ts';
import type { InstallContext } from './driver.ts';

const run = promisify(execFile);

const MIN_MINOR_VERSION = 10;
const CANDIDATES = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const LOOK_TIMEOUT_MS = 30_000;
const WANTED =
  `Python 3.${MIN_MINOR_VERSION} or newer with venv and pip is needed: please install it (Debian: python3, ` +
  'python3-venv), or name it in MODEL_PYTHON';
const LAST_LINES = 5;

/** Prints its version and whether it can make an environment with pip in it. */
const LOOK = `
import importlib.util, sys
print(sys.version_info[0], sys.version_info[1], all(importlib.util.find_spec(n) for n in ("venv", "ensurepip")))
`;

/** A Python that can make environments: the one that is named, else the first on PATH that will do. */
export async function findPython(named: string | undefined): Promise<string> {
  for (const candidate of named === undefined ? CANDIDATES : [named]) {
    const file = candidate.includes('/') ? candidate : findExecutable(candidate);
    if (file !== undefined && (await canMakeEnvironments(file))) return file;
  }
  throw new TaskFailure('PYTHON_NOT_FOUND', WANTED);
}

async function canMakeEnvironments(file: string): Promise<boolean> {
  try {
    const options = { timeout: LOOK_TIMEOUT_MS, env: inheritedEnvironment() };
    const { stdout } = await run(file, ['-I', '-c', LOOK], options);
    const [major, minor, complete] = stdout.trim().split(' ');
    return major === '3' && Number(minor) >= MIN_MINOR_VERSION && complete === 'True';
  } catch {
    return false;
  }
}

export interface PythonPackages {
  /** Pinned, with hashes where they are known. */
  requirementsFile: string;
  hasHashes: boolean;
  /** What is asked for its version in the end. */
  distribution: string;
  module: string;
  version: string;
}

/** The Python of an environment. */
export function environmentPython(folder: string): string {
  return join(folder, 'venv', 'bin', 'python');
}

/** Makes an environment in the folder with the packages in it, from the registry that pip is configured for. */
export async function installPackages(
  context: InstallContext,
  packages: PythonPackages,
  namedPython: string | undefined,
): Promise<void> {
  const python = await findPython(namedPython);
  const own = environmentPython(context.folder);
  context.stage('making an environment');
  await runStep(context, 'The environment could not be made', [
    python,
    '-I',
    '-m',
    'venv',
    join(context.folder, 'venv'),
  ]);
  context.stage('installing packages');
  const pip = [own, '-I', '-u', '-m', 'pip', 'install', '--no-input', '--disable-pip-version-check'] as const;
  const pinned = ['--only-binary', ':all:', ...(packages.hasHashes ? ['--require-hashes'] : [])];
  await runStep(context, 'The packages could not be installed', [...pip, ...pinned, '-r', packages.requirementsFile]);
  context.stage('checking');
  const check = `import importlib.metadata, ${packages.module}; assert importlib.metadata.version("${packages.distribution}") == "${packages.version}"`;
  await runStep(context, 'The packages do not work on this machine', [own, '-I', '-c', check]);
}

async function runStep(
  context: InstallContext,
  failure: string,
  command: readonly [string, ...string[]],
): Promise<void> {
  context.signal.throwIfAborted();
  const last: string[] = [];
  const child = await startChild({
    command,
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
  if (code !== 0) throw new TaskFailure('INSTALL_FAILED', `${failure}: ${reasonOf(last)}`);
}

/** pip says what went wrong in lines that begin with ERROR; other programs say it last. */
function reasonOf(lines: readonly string[]): string {
  const errors = lines.filter((line) => /^(?:ERROR|error)\b/.test(line));
  return (errors.length > 0 ? errors : lines.slice(-1)).join(' ').slice(0, 500) || 'it printed nothing';
}
