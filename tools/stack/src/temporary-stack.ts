import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStackFile, type StackFile } from './stack/stack-file.ts';

export interface TemporaryStack {
  stackFile: StackFile;
  /** `CLEW_HOME` and what else names this stack to other processes. */
  env: NodeJS.ProcessEnv;
}

const MAIN = join(import.meta.dirname, 'main.ts');

/**
 * Starts a whole stack with a home of its own, empty, and ends and removes it afterwards. `settings` are variables of its
 * apps. Rejects with the end of its log when it does not start.
 */
export async function withTemporaryStack<Result>(
  settings: NodeJS.ProcessEnv,
  use: (stack: TemporaryStack) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'clew-stack-'));
  const own = { CLEW_HOME: home, CLEW_PORT: String(await freePort()), CLEW_SEED: 'none' };
  const env = { ...process.env, ...settings, ...own };
  try {
    const code = await runToEnd(['start', '--detach'], env);
    const stackFile = readStackFile(home);
    if (code !== 0 || stackFile === undefined) throw new Error(`The stack did not start:\n${await logOf(home)}`);
    return await use({ stackFile, env });
  } finally {
    await runToEnd(['stop'], env);
    await rm(home, { recursive: true, force: true });
  }
}

function runToEnd(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // What it prints is progress: standard output belongs to whoever uses the stack.
  const child = spawn(process.execPath, ['--conditions=clew-source', MAIN, ...args], {
    env,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function logOf(home: string): Promise<string> {
  return await readFile(join(home, 'logs/stack.log'), 'utf8').catch(() => 'it left no log');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
