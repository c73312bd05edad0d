import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TaskFailure } from '../reconcile/task.ts';
import { inheritedEnvironment, startChild } from '../processes/child.ts';
import { findExecutable } from '../processes/find-executable.ts';
import type { InstallContext } from './driver.ts';

const run = promisify(execFile);

const CANDIDATES = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const LOOK_TIMEOUT_MS = 30_000;
const LAST_LINES = 5;

/** The versions of Python 3 that packages are pinned for, by their second number. */
export interface PythonRange {
  min: number;
  /** Absent: any that is newer. */
  max?: number;
}
const ANY_PYTHON: PythonRange = { min: 10 };

/** Prints its version and whether it can make an environment with pip in it. */
const LOOK = `
import importlib.util, sys
print(sys.version_info[0], sys.version_info[1], all(importlib.util.find_spec(n) for n in ("venv", "ensurepip")))
`;

/** A Python that can make environments: the one that is named, else the first on PATH that will do. */
async function findPython(named: string | undefined, range: PythonRange): Promise<string> {
  for (const candidate of named === undefined ? CANDIDATES : [named]) {
    const file = candidate.includes('/') ? candidate : findExecutable(candidate);
    if (file !== undefined && (await canMakeEnvironments(file, range))) return file;
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

async function canMakeEnvironments(file: string, { min, max = Infinity }: PythonRange): Promise<boolean> {
  try {
    const options = { timeout: LOOK_TIMEOUT_MS, env: inheritedEnvironment() };
    const { stdout } = await run(file, ['-I', '-c', LOOK], options);
    const [major, minor, complete] = stdout.trim().split(' ');
    return major === '3' && Number(minor) >= min && Number(minor) <= max && complete === 'True';
  } catch {
    return false;
  }
}

export interface PythonPackages {
  /** Pinned, each with its hashes. */
  requirementsFile: string;
  /** Any from 3.10 on by default. */
  pythonRange?: PythonRange;
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
  const python = await findPython(namedPython, packages.pythonRange ?? ANY_PYTHON);
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
  const pinned = ['--only-binary', ':all:', '--require-hashes'] as const;
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
