import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStackFile, type StackFile } from './stack/stack-file.ts';
import { findFreePort } from './system/ports.ts';

export interface TemporaryStack {
  stackFile: StackFile;
  /** `CLEW_HOME` and other variables that identify this stack to other processes. */
  env: NodeJS.ProcessEnv;
  /** Copies the logs of its processes to a folder that outlives the stack; resolves with the folder's path. */
  keepLogs(): Promise<string>;
}

const MAIN = join(import.meta.dirname, 'main.ts');

/**
 * Starts a whole stack in a new, empty home, and stops and removes it afterwards. Its applications are built, as in images,
 * because tests and measurements use it. `settings` are variables of its apps; `prepare` can fill the home first, for
 * example with a restored database. Rejects with the end of its log if the start fails.
 */
export async function withTemporaryStack<Result>(
  settings: NodeJS.ProcessEnv,
  use: (stack: TemporaryStack) => Promise<Result>,
  prepare: (home: string) => Promise<void> = async () => undefined,
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'clew-stack-'));
  const own = { CLEW_HOME: home, CLEW_PORT: String(await findFreePort()), CLEW_SEED: 'none' };
  const env = { ...process.env, ...settings, ...own };
  try {
    await prepare(home);
    const code = await runToEnd(['start', '--detach', '--built'], env);
    const stackFile = readStackFile(home);
    if (code !== 0 || stackFile === undefined) throw new Error(`The stack did not start:\n${await logOf(home)}`);
    return await use({ stackFile, env, keepLogs: () => keptLogs(home) });
  } finally {
    await runToEnd(['stop'], env);
    await rm(home, { recursive: true, force: true });
  }
}

function runToEnd(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // Standard output belongs to the user of the stack, so its progress goes to standard error.
  const child = spawn(process.execPath, ['--conditions=clew-source', MAIN, ...args], {
    env,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function keptLogs(home: string): Promise<string> {
  const kept = await mkdtemp(join(tmpdir(), 'clew-logs-'));
  await cp(join(home, 'logs'), kept, { recursive: true });
  return kept;
}

async function logOf(home: string): Promise<string> {
  return await readFile(join(home, 'logs/stack.log'), 'utf8').catch(() => 'it left no log');
}
