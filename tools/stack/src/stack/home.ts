import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where everything of one stack is kept. */
export interface Home {
  directory: string;
  /** What scripts outside read: addresses, keys, process ids. */
  stackFile: string;
  /** What must survive a restart and nobody else may read. */
  secretsFile: string;
  processesFile: string;
  /** Held by the supervisor while it lives. */
  lockFile: string;
  /** Which project the sample data was put into. */
  seedFile: string;
  logsDirectory: string;
  identityDirectory: string;
  /** The keys of the runtime agent. */
  agentKeysFile: string;
  packagesDirectory: string;
  socketFile: string;
}

/** The root of the checkout this file is in. */
export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

// What the kernel's address structure holds, less the final zero.
const LONGEST_SOCKET_PATH = 100;

/** The home directory that CLEW_HOME names, or `.clew` of this checkout. */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  return path.resolve(REPOSITORY_ROOT, env['CLEW_HOME'] ?? '.clew');
}

/** The places within a home directory. */
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
 * Lets other users through to the models: a stack that is run by root runs its engines as somebody else. What is
 * secret beside them is readable by its owner alone.
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
