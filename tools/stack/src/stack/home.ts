import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directories and files of one stack. */
export interface Home {
  directory: string;
  /** File for scripts outside the project: addresses, keys, process ids. */
  stackFile: string;
  /** File with values that must survive a restart and that nobody else may read. */
  secretsFile: string;
  processesFile: string;
  /** Lock that the supervisor holds while it is alive. */
  lockFile: string;
  /** File that names the project with the sample data. */
  seedFile: string;
  logsDirectory: string;
  identityDirectory: string;
  /** Keys of the runtime agent. */
  agentKeysFile: string;
  packagesDirectory: string;
  socketFile: string;
}

/** Root of the checkout that contains this file. */
export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

// Path length that fits into the kernel's socket address structure, together with its final zero byte.
const LONGEST_SOCKET_PATH = 100;

/** Home directory named by CLEW_HOME, or `.clew` of this checkout. */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  return path.resolve(REPOSITORY_ROOT, env['CLEW_HOME'] ?? '.clew');
}

/** Paths within a home directory. */
export function createHome(directory: string): Home {
  return {
    directory,
    stackFile: path.join(directory, 'stack.json'),
    secretsFile: path.join(directory, 'secrets.json'),
    processesFile: path.join(directory, 'processes.json'),
    lockFile: path.join(directory, 'supervisor.json'),
    seedFile: path.join(directory, 'seed.json'),
    logsDirectory: path.join(directory, 'logs'),
    identityDirectory: path.join(directory, 'identity'),
    agentKeysFile: path.join(directory, 'agent-keys.json'),
    packagesDirectory: path.join(directory, 'packages'),
    socketFile: socketFile(directory),
  };
}

const ENTER = 0o111;

/**
 * Lets other users access the models: a stack run by root runs its engines as another user. Secrets next to the models
 * are readable only by their owner.
 */
export function openToEngines({ directory }: Home): void {
  if (process.getuid?.() !== 0) return;
  fs.mkdirSync(directory, { recursive: true });
  fs.chmodSync(directory, (fs.statSync(directory).mode & 0o777) | ENTER);
}

function socketFile(directory: string): string {
  const file = path.join(directory, 'stack.sock');
  if (Buffer.byteLength(file) <= LONGEST_SOCKET_PATH) return file;
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `clew-${os.userInfo().uid}-${digest}.sock`);
}
