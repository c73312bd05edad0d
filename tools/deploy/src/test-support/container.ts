import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, linkSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** User id of containers, which no user of a machine has. */
export const CONTAINER_USER = 10_001;

export interface ContainerOptions {
  /** Folder of the image's `/app`. */
  readonly image: string;
  /** Command of the container; `node` is found where the image has it. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningContainer {
  readonly child: ChildProcess;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  output(): string;
}

/** Provides the Node of this test at a path that the user of a container can reach. */
export function provideNode(folder: string): string {
  const file = join(folder, 'bin/node');
  mkdirSync(dirname(file), { recursive: true });
  try {
    linkSync(process.execPath, file);
  } catch {
    cpSync(process.execPath, file);
  }
  return dirname(file);
}

/**
 * Runs the command of a container in its folder, with only its environment, and as its user. Other users are possible
 * only as root: otherwise the process runs as the current user, and writes to the image are not prevented.
 */
export function runContainer(nodeFolder: string, { image, command, env }: ContainerOptions): RunningContainer {
  const [file = '', ...args] = command;
  const user = process.getuid?.() === 0 ? { uid: CONTAINER_USER, gid: CONTAINER_USER } : {};
  const PATH = [nodeFolder, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  const child = spawn(file === 'node' ? join(nodeFolder, 'node') : file, args, {
    ...{ cwd: image, env: { PATH, NODE_ENV: 'production', ...env }, ...user },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    ended: once(child, 'close').then(([code]) => code as number | null),
    output: () => output,
  };
}
