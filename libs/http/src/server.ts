import { createServer, Server, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  server: Server;
  port: number;
  /** Stops taking connections, waits for those in flight. */
  stop(): Promise<void>;
}

/** A service must keep its connections open longer than the gateway's agent does, or requests race with the close. */
const SERVICE_KEEP_ALIVE_MS = 75_000;

/** Listens with a server, or with one made for the listener, and resolves once the port is open. */
export async function listen(
  serverOrListener: Server | RequestListener,
  address: { host: string; port: number },
): Promise<RunningServer> {
  const server =
    serverOrListener instanceof Server
      ? serverOrListener
      : createServer({ keepAliveTimeout: SERVICE_KEEP_ALIVE_MS, requestTimeout: 0 }, serverOrListener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeIdleConnections();
      }),
  };
}
