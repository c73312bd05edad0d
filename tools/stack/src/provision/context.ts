import os from 'node:os';
import path from 'node:path';
import { firstWritableDirectory } from '../system/files.ts';
import { createPortBook } from '../system/ports.ts';
import type { PortBook } from '../system/ports.ts';
import { createProcessRegistry } from '../system/process-registry.ts';
import type { ProcessRegistry } from '../system/process-registry.ts';
import type { Unit } from '../system/unit.ts';

/** Context for the provisioning of one server. */
export interface ProvisionContext {
  /** Directory with data, logs, ports and process records of this stack. */
  home: string;
  /** Directory of downloads that all stacks of this user share. */
  cacheDirectory: string;
  /** Directory for unpacked packages. */
  packagesDirectory: string;
  env: NodeJS.ProcessEnv;
  /** Reports progress to the user. */
  log: (line: string) => void;
  signal: AbortSignal;
  ports: PortBook;
  registry: ProcessRegistry;
}

/** Running server with its local processes, in the order of their start. */
export interface ProvidedServer {
  description: string;
  units: readonly Unit[];
}

/** Options of a caller outside the stack; all others have defaults. */
export interface ProvisionOptions {
  home: string;
  log?: (line: string) => void;
  signal?: AbortSignal;
  packagesDirectory?: string;
  env?: NodeJS.ProcessEnv;
}

/** Fills in the defaults. */
export function createProvisionContext(options: ProvisionOptions): ProvisionContext {
  const env = options.env ?? process.env;
  return {
    home: options.home,
    cacheDirectory: cacheDirectory(env, options.home),
    packagesDirectory: options.packagesDirectory ?? path.join(options.home, 'packages'),
    env,
    log: options.log ?? (() => undefined),
    signal: options.signal ?? new AbortController().signal,
    ports: createPortBook(path.join(options.home, 'ports.json')),
    registry: createProcessRegistry(path.join(options.home, 'processes.json')),
  };
}

function cacheDirectory(env: NodeJS.ProcessEnv, home: string): string {
  const preferred = env['CLEW_CACHE'] ?? path.join(os.homedir(), '.cache', 'clew');
  return firstWritableDirectory([path.resolve(preferred), path.join(home, 'cache')]);
}
