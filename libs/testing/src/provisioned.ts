import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is used of the development stack's provisioning. */
interface StackModule {
  provisionMongo(options: { home: string }): Promise<StackServer & { url: string }>;
  provisionRabbit(options: {
    home: string;
  }): Promise<StackServer & { amqpUrl: string; managementUrl: string | undefined }>;
}

interface StackServer {
  /** Leads the process group of the server; undefined when it is not ours. */
  readonly pid: number | undefined;
  restart(): Promise<void>;
  stop(options: { immediately: boolean }): Promise<void>;
}

/** A tool that is not built: loaded at run time, and only where nothing else gives the server. */
const STACK_PACKAGE = '@clew/stack' as string;

/** Starts a server of the development stack with data of its own; `stop` removes both. */
export async function provision<Name extends keyof StackModule>(
  name: Name,
): Promise<{ server: Awaited<ReturnType<StackModule[Name]>>; stop(): Promise<void> }> {
  const stack = (await import(STACK_PACKAGE)) as StackModule;
  const home = await mkdtemp(join(tmpdir(), 'clew-test-'));
  const server = (await stack[name]({ home })) as Awaited<ReturnType<StackModule[Name]>>;
  return {
    server,
    async stop() {
      await server.stop({ immediately: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}
