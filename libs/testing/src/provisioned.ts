import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Functions of the development stack's provisioning that are used here. */
interface StackModule {
  provisionMongo(options: { home: string }): Promise<StackServer & { url: string }>;
  provisionRabbit(options: {
    home: string;
  }): Promise<StackServer & { amqpUrl: string; managementUrl: string | undefined }>;
}

interface StackServer {
  /** Process id of the leader of the server's process group; undefined if the server is not ours. */
  readonly pid: number | undefined;
  restart(): Promise<void>;
  stop(options: { immediately: boolean }): Promise<void>;
}

/** Package of a tool that is not built: loaded at run time, and only if no other server is available. */
const STACK_PACKAGE = '@clew/stack' as string;

/** Starts a server of the development stack with its own data; `stop` removes both. */
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
