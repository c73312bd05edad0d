import { createServer, Server, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface RunningServer {
  server: Server;
  port: number;
  /**
   * Stops taking connections and resolves once what is in flight has been answered. Within the time of a lame duck it
   * first serves on and tells each caller, with its answer, to take another connection: one that is closed while it is
   * kept may be closed just as a request is sent over it, which the caller then does not know the fate of.
   */
  stop(options?: { lameDuckMs?: number }): Promise<void>;
}

/**
 * A server must keep its connections open longer than those in front of it do (the gateway's agent 60 s at most, most
 * load balancers too), or a request is sent just as its connection is closed.
 */
export const SERVER_KEEP_ALIVE_MS = 75_000;
/** A connection over which no request comes in this time is closed. Without a number there is none, once requests have none. */
const HEADERS_TIMEOUT_MS = 30_000;
/**
 * The line and the headers of a request. The longest query that the API takes has some 60,000 characters, where each of
 * its text is written as twelve.
 */
export const MAX_HEADER_BYTES = 64 * 1024;
/** What the gateway adds for the services behind it. */
const MAX_ADDED_HEADER_BYTES = 16 * 1024;
/** While stopping, connections that nothing is asked over are looked for this often. */
const CLOSE_IDLE_EVERY_MS = 50;

/** Listens with a server, or with one made for the listener, and resolves once the port is open. */
export async function listen(
  serverOrListener: Server | RequestListener,
  address: { host: string; port: number },
): Promise<RunningServer> {
  const server =
    serverOrListener instanceof Server
      ? serverOrListener
      : createServer(
          {
            keepAliveTimeout: SERVER_KEEP_ALIVE_MS,
            requestTimeout: 0,
            headersTimeout: HEADERS_TIMEOUT_MS,
            maxHeaderSize: MAX_HEADER_BYTES + MAX_ADDED_HEADER_BYTES,
          },
          serverOrListener,
        );
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async stop({ lameDuckMs = 0 } = {}) {
      server.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false;
      });
      await untilNoneIsOpen(open, lameDuckMs);
      await drain(server, open);
    },
  };
}

/** Whoever asks often has been told by then; what is still open is not in use. */
async function untilNoneIsOpen(open: ReadonlySet<Socket>, timeoutMs: number): Promise<void> {
  const untilMs = Date.now() + timeoutMs;
  while (open.size > 0 && Date.now() < untilMs) await delay(CLOSE_IDLE_EVERY_MS);
}

/** Without more, a connection that a caller keeps alive would go on to be served for as long as it asks. */
function drain(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closing = setInterval(() => {
    server.closeIdleConnections();
    closeSilent(open);
  }, CLOSE_IDLE_EVERY_MS);
  server.close((error) => {
    clearInterval(closing);
    if (error === undefined) resolve();
    else reject(error);
  });
  return promise;
}

/** Callers open connections ahead of time. To Node they are not idle: the headers of a request might be under way. */
function closeSilent(open: ReadonlySet<Socket>): void {
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
}
