import { createServer, Server, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endEvents, hasEvents } from './broken-off-events.ts';

export interface RunningServer {
  server: Server;
  port: number;
  /**
   * Stops accepting connections and resolves once all calls in flight have been answered. During the lame duck time it
   * first continues to serve, and tells each caller in its answer to use another connection. A kept connection may
   * otherwise be closed just as a request is sent over it, and the caller would not know the outcome. Calls that are
   * not over by the end of the drain time are broken off.
   */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** Lame duck time; 0 by default. */
  lameDuckMs?: number;
  /** Drain time; unlimited by default. */
  drainMs?: number;
  /**
   * Answers a call that is broken off before its answer has begun. An event stream ends with an error event; any other
   * answer is cut, so that nobody takes it for complete.
   */
  refuse?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

/**
 * Keep-alive time. It must exceed that of the clients in front (the gateway's agent at most 60 s, like most load
 * balancers); otherwise a request may be sent just as its connection is closed.
 */
export const SERVER_KEEP_ALIVE_MS = 75_000;
/**
 * Time after which a connection without a request is closed. It must be set: as requests have no time limit, Node would
 * otherwise have none for the headers either.
 */
const HEADERS_TIMEOUT_MS = 30_000;
/**
 * Maximum size of the request line and the headers. The longest query that the API takes has about 60,000 characters,
 * if each of its text's characters is encoded as twelve.
 */
export const MAX_HEADER_BYTES = 64 * 1024;
/** Size of the headers that the gateway adds for the services behind it. */
const MAX_ADDED_HEADER_BYTES = 16 * 1024;
/** Interval at which idle connections are closed while stopping. */
const CLOSE_IDLE_EVERY_MS = 50;
/** Time for a rejection to reach its caller before the connection is closed. */
const REFUSAL_MS = 500;

/** Listens with a server, or with one created for the listener, and resolves once the port is open. */
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

/** Tracks the calls in flight: each response with its request. */
function watchCalls(server: Server): ReadonlyMap<ServerResponse, IncomingMessage> {
  const inFlight = new Map<ServerResponse, IncomingMessage>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    inFlight.set(response, request);
    response.once('close', () => inFlight.delete(response));
  };
  server.prependListener('request', begin);
  // A request with an `Expect` header comes as its own event if somebody listens to it. Without a listener, Node
  // requests the body itself, which it would leave to us if we listened.
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

/** Waits for connections to close. Frequent callers have been told by then; those still open are not in use. */
async function untilNoneIsOpen(open: ReadonlySet<Socket>, timeoutMs: number): Promise<void> {
  const untilMs = Date.now() + timeoutMs;
  while (open.size > 0 && Date.now() < untilMs) await delay(CLOSE_IDLE_EVERY_MS);
}

/**
 * Drains the server. Closing alone is not enough: a connection that a caller keeps alive would be served as long as the
 * caller sends requests.
 */
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

/**
 * Closes connections that callers opened in advance. Node does not consider them idle, because the headers of a request
 * might be in transit.
 */
function closeSilent(open: ReadonlySet<Socket>): void {
  for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
}
