import net from 'node:net';
import { answersWith, delay } from '../system/waiting.ts';

/**
 * The one address of an application that runs several times, as a Service of Kubernetes is: each new connection goes to
 * the next process that is ready. It tries nothing twice: what a process loses when it is killed, the caller sees.
 */
export interface Front {
  readonly url: string;
  /** From now on connections may go there, while it answers that it is ready. */
  add(instanceUrl: string): void;
  /** From now on no new connection goes there; those that it has stay. */
  leave(instanceUrl: string): void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 250;

interface Endpoint {
  url: string;
  isReady: boolean;
}

/** Listens on a port of 127.0.0.1; whoever comes while no process is ready is turned away. */
export async function openFront(port: number): Promise<Front> {
  let endpoints: Endpoint[] = [];
  let turn = 0;
  const open = new Set<net.Socket>();
  const closed = new AbortController();

  function next(): Endpoint | undefined {
    const ready = endpoints.filter(({ isReady }) => isReady);
    turn += 1;
    return ready[turn % ready.length];
  }

  const server = net.createServer({ noDelay: true }, (caller) => {
    const endpoint = next();
    if (endpoint === undefined) return void caller.resetAndDestroy();
    for (const socket of join(caller, endpoint)) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve);
  });
  const looking = look(() => endpoints, closed.signal);

  return {
    url: `http://127.0.0.1:${port}`,
    add(url) {
      endpoints = [...endpoints, { url, isReady: true }];
    },
    leave(url) {
      endpoints = endpoints.filter((endpoint) => endpoint.url !== url);
    },
    async close() {
      closed.abort();
      const ended = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await Promise.all([ended, looking]);
    },
  };
}

/** Passes on what either side says; when one of them breaks off, so does the other. */
function join(caller: net.Socket, endpoint: Endpoint): readonly net.Socket[] {
  const { hostname, port } = new URL(endpoint.url);
  const target = net.connect({ host: hostname, port: Number(port), noDelay: true });
  // Nobody listens there any more: the next one need not find out by itself.
  target.once('error', () => (endpoint.isReady = false));
  caller.pipe(target).pipe(caller);
  for (const [socket, other] of [
    [caller, target],
    [target, caller],
  ] as const) {
    socket.on('error', () => other.resetAndDestroy());
    socket.on('close', () => other.destroySoon());
  }
  return [caller, target];
}

async function look(endpoints: () => readonly Endpoint[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(
      endpoints().map(async (endpoint) => {
        endpoint.isReady = await answersWith(`${endpoint.url}/readyz`);
      }),
    );
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
