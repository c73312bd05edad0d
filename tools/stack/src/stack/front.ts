import net from 'node:net';
import { answersWith, delay } from '../system/waiting.ts';

/**
 * Single address of an application with several processes, like a Service of Kubernetes: each new connection goes to
 * the next process that is ready. It repeats nothing: callers see the requests that a killed process loses.
 */
export interface Front {
  readonly url: string;
  /** Allows new connections to the instance while it reports that it is ready. */
  add(instanceUrl: string): void;
  /** Stops new connections to the instance; its existing ones stay. */
  leave(instanceUrl: string): void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 250;

interface Endpoint {
  url: string;
  isReady: boolean;
}

/** Listens on a port of 127.0.0.1; connections are refused while no process is ready. */
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

/** Pipes data in both directions; if one side breaks off, the other one is closed too. */
function join(caller: net.Socket, endpoint: Endpoint): readonly net.Socket[] {
  const { hostname, port } = new URL(endpoint.url);
  const target = net.connect({ host: hostname, port: Number(port), noDelay: true });
  // Marks the instance as not ready after a failed connection, so that the next caller avoids it.
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
