import fs from 'node:fs';
import path from 'node:path';
import { reasonOf, Unavailable } from '../system/errors.ts';
import { findOnPath } from '../system/files.ts';
import { run } from '../system/run.ts';
import type { ProvisionContext } from './context.ts';
import { libraryDirectories, unpackPackages } from './debian.ts';
import { aptInstall } from './privileges.ts';

/** Working pip: its command and environment. */
export interface Pip {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
}

const PYTHON_WANTED = 'Python 3 with pip is needed to fetch a wheel: please install it (Debian: python3, python3-pip)';

/**
 * Finds pip or provides it: the pip of the machine's Python 3, one in a private environment that Python creates,
 * Debian's packages unpacked without root, or Debian's packages installed where that is allowed.
 */
export async function providePip(context: ProvisionContext): Promise<Pip> {
  const reasons: string[] = [];
  for (const attempt of [pipOfSystem, pipOfPrivateEnvironment, pipOfUnpackedPackages, pipOfInstalledPackages]) {
    try {
      return await verified(await attempt(context), context);
    } catch (error) {
      context.signal.throwIfAborted();
      reasons.push(reasonOf(error));
    }
  }
  throw new Unavailable(`${PYTHON_WANTED}. What was tried: ${reasons.join('; ')}`);
}

async function verified(pip: Pip, context: ProvisionContext): Promise<Pip> {
  const [file = '', ...args] = pip.command;
  await run(file, [...args, '--version'], { env: pip.env, signal: context.signal, timeoutMs: 30_000 });
  return pip;
}

function systemPython(context: ProvisionContext): string {
  const python = findOnPath('python3', context.env['PATH']);
  if (python === undefined) throw new Unavailable('there is no python3 on PATH');
  return python;
}

async function pipOfSystem(context: ProvisionContext): Promise<Pip> {
  return { command: [systemPython(context), '-m', 'pip'], env: context.env };
}

async function pipOfPrivateEnvironment(context: ProvisionContext): Promise<Pip> {
  const python = systemPython(context);
  const directory = path.join(context.packagesDirectory, 'python-environment');
  const environmentPython = path.join(directory, 'bin', 'python');
  if (!fs.existsSync(environmentPython)) {
    await run(python, ['-m', 'venv', directory], { env: context.env, signal: context.signal, timeoutMs: 60_000 });
  }
  return { command: [environmentPython, '-m', 'pip'], env: context.env };
}

async function pipOfUnpackedPackages(context: ProvisionContext): Promise<Pip> {
  const root = await unpackPackages(
    {
      name: 'python3',
      roots: ['python3', 'python3-pip-whl'],
      wanted: /^(lib)?python3(\.\d+)?(-minimal|-stdlib|-pip-whl)?$/,
    },
    context,
  );
  const find = (directory: string, name: RegExp) => {
    const entry = fs.readdirSync(path.join(root, directory)).find((candidate) => name.test(candidate));
    if (entry === undefined) throw new Unavailable(`the unpacked ${directory} holds no ${name.source}`);
    return path.join(root, directory, entry);
  };
  const wheel = find('usr/share/python-wheels', /^pip-.*\.whl$/);
  const env = { ...context.env, LD_LIBRARY_PATH: libraryDirectories(root).join(':') };
  // A wheel is a zip file, from which Python can run a package directly.
  return { command: [find('usr/bin', /^python3\.\d+$/), path.join(wheel, 'pip')], env };
}

async function pipOfInstalledPackages(context: ProvisionContext): Promise<Pip> {
  await aptInstall(['python3', 'python3-pip'], context);
  return pipOfSystem(context);
}
