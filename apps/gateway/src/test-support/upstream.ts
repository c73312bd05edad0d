import { randomInt } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { MAX_HEADER_BYTES } from '@clew/http';

export interface SeenRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
}

export interface Upstream {
  url: string;
  port: number;
  /** Requests received, oldest first. */
  seen: SeenRequest[];
  /** Number of connections made so far. */
  connections(): number;
  close(): Promise<void>;
}

const answerOk: RequestListener = (request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.end('{"ok":true}');
};

/** Starts a service that answers every request with the listener, `{"ok":true}` by default. */
export async function startUpstream(listener: RequestListener = answerOk, port = 0): Promise<Upstream> {
  const seen: SeenRequest[] = [];
  const server = createServer(
    { keepAliveTimeout: 60_000, maxHeaderSize: 2 * MAX_HEADER_BYTES },
    (request: IncomingMessage, response) => {
      const { method, url, headers, rawHeaders } = request;
      seen.push({ method, url, headers, rawHeaders });
      listener(request, response);
    },
  );
  return { seen, ...(await listenOn(server, port)) };
}

/** Starts a service that answers with arbitrary bytes. */
export async function startTcpUpstream(listener: (socket: Socket) => void): Promise<Omit<Upstream, 'seen'>> {
  return await listenOn(createTcpServer(listener), 0);
}

async function listenOn(server: Server, port: number): Promise<Omit<Upstream, 'seen'>> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    connections: () => connections,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      open.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}

/**
 * Port on which nothing listens. It lies below the ports that the system hands out, so that no server of another test
 * gets it meanwhile.
 */
export async function closedPort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const upstream = await startUpstream(undefined, port).catch(() => undefined);
  await upstream?.close();
  return upstream === undefined ? await closedPort() : port;
}
