import { createServer, Server, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endEvents, hasEvents } from './broken-off-events.ts';

export interface RunningServer {
  server: Server;
  port: number;
  /**
   * Stops taking connections and resolves once what is in flight has been answered. Within the time of a lame duck it
   * first serves on and tells each caller, with its answer, to take another connection: one that is closed while it is
   * kept may be closed just as a request is sent over it, which the caller then does not know the fate of. Calls that
   * are not over by the end of the drain time are broken off.
   */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** 0 by default. */
  lameDuckMs?: number;
  /** As long as it takes by default. */
  drainMs?: number;
  /**
   * Answers a call that is broken off before its answer has begun. Events are told in one of their own that they end; all
   * else is cut, so that nobody takes it for whole.
   */
  refuse?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
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
/** Time for a refusal to reach its caller before the connection is closed under it. */
const REFUSAL_MS = 500;

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
  const inFlight = watchCalls(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async stop({ lameDuckMs = 0, drainMs, refuse } = {}) {
      server.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false;
      });
      await untilNoneIsOpen(open, lameDuckMs);
      const late = drainMs === undefined ? undefined : setTimeout(() => void breakOff(inFlight, open, refuse), drainMs);
      await drain(server, open);
      clearTimeout(late);
    },
  };
}

/** The calls that are being answered, by their answers. */
function watchCalls(server: Server): ReadonlyMap<ServerResponse, IncomingMessage> {
  const inFlight = new Map<ServerResponse, IncomingMessage>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    inFlight.set(response, request);
    response.once('close', () => inFlight.delete(response));
  };
  server.prependListener('request', begin);
  // A body that waits to be asked for comes by events of its own where somebody listens to them. Where nobody does Node
  // asks for it, which it would leave to us if we listened.
  for (const event of ['checkContinue', 'checkExpectation']) {
    if (server.listenerCount(event) > 0) server.prependListener(event, begin);
  }
  return inFlight;
}

async function breakOff(
  inFlight: ReadonlyMap<ServerResponse, IncomingMessage>,
  open: ReadonlySet<Socket>,
  refuse: StopOptions['refuse'],
): Promise<void> {
  for (const [response, request] of inFlight) {
    if (response.headersSent && hasEvents(response)) endEvents(response);
    else if (refuse === undefined || response.headersSent) response.destroy();
    else refuse(request, response);
  }
  await delay(REFUSAL_MS);
  for (const socket of open) socket.destroy();
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
