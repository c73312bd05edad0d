import os from 'node:os';
import path from 'node:path';
import { firstWritableDirectory } from '../system/files.ts';
import { createPortBook } from '../system/ports.ts';
import type { PortBook } from '../system/ports.ts';
import { createProcessRegistry } from '../system/process-registry.ts';
import type { ProcessRegistry } from '../system/process-registry.ts';
import type { Unit } from '../system/unit.ts';

/** What the provisioning of one server needs to know. */
export interface ProvisionContext {
  /** Data, logs, ports and process records of this stack live here. */
  home: string;
  /** Downloads that all stacks of this user share. */
  cacheDirectory: string;
  /** Where packages are unpacked. */
  packagesDirectory: string;
  env: NodeJS.ProcessEnv;
  /** Tells the user what is going on. */
  log: (line: string) => void;
  signal: AbortSignal;
  ports: PortBook;
  registry: ProcessRegistry;
}

/** A server that runs, and the processes of ours that make it up, in the order in which they were started. */
export interface ProvidedServer {
  description: string;
  units: readonly Unit[];
}

/** What a caller outside the stack gives; the rest has defaults. */
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
