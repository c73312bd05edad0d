import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runToEnd } from './run-jest.ts';

const STACK = join(ROOT, 'tools/stack/src/main.ts');

/** Starts a whole stack of its own, empty, and ends and removes it afterwards. */
export async function withStack<Result>(use: (env: NodeJS.ProcessEnv) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'clew-e2e-'));
  const env = {
    ...process.env,
    CLEW_HOME: home,
    CLEW_PORT: String(await freePort()),
    CLEW_SEED: 'none',
    // A wrong answer of a service should fail a test, not reach it.
    CLEW_CHECK_RESPONSES: 'true',
    LOG_LEVEL: 'info',
  };
  try {
    const code = await runToEnd([process.execPath, STACK, 'start', '--detach'], env);
    if (code !== 0) throw new Error(`The stack did not start:\n${await logOf(home)}`);
    return await use(env);
  } finally {
    await runToEnd([process.execPath, STACK, 'stop'], env);
    await rm(home, { recursive: true, force: true });
  }
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
