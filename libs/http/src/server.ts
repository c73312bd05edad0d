import { createServer, Server, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  server: Server;
  port: number;
  /** Stops taking connections and resolves once what is in flight has been answered. */
  stop(): Promise<void>;
}

/**
 * A server must keep its connections open longer than those in front of it do (the gateway's agent 60 s at most, most
 * load balancers too), or a request is sent just as its connection is closed.
 */
export const SERVER_KEEP_ALIVE_MS = 75_000;
/**
 * The line and the headers of a request. The longest query that the API takes has some 60,000 characters, where each of
 * its text is written as twelve.
 */
export const MAX_HEADER_BYTES = 64 * 1024;
/** What the gateway adds for the services behind it. */
const MAX_ADDED_HEADER_BYTES = 16 * 1024;
/** While stopping, connections that have become idle are closed this often. */
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
            maxHeaderSize: MAX_HEADER_BYTES + MAX_ADDED_HEADER_BYTES,
          },
          serverOrListener,
        );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    stop: () => drain(server),
  };
}

/** Without more, a connection that a caller keeps alive would go on to be served for as long as it asks. */
function drain(server: Server): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  server.close((error) => {
    clearInterval(closing);
    if (error === undefined) resolve();
    else reject(error);
  });
  return promise;
}
