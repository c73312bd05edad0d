import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Loopback proxy that breaks connections at a chosen moment. Markers are texts as sent over the wire. */
export interface TcpFault {
  readonly port: number;
  /** Returns the URL of the server through the proxy. */
  through(url: string): string;
  /** Cuts the connection that next sends the marker; the server receives only the bytes before it. */
  cutBefore(marker: string): Promise<void>;
  /**
   * Forwards the marker, drops the server's answer and cuts: the write happens, but the caller does not learn of it.
   */
  cutAfter(marker: string): Promise<void>;
  /** Forwards the marker, but none of the server's later bytes, and keeps the connection open. */
  stallAfter(marker: string): Promise<void>;
  /** Sends bytes to every client in the server's name. */
  sayToClients(bytes: Buffer): void;
  /** Cuts all connections and accepts no new ones. */
  block(): void;
  unblock(): void;
  close(): Promise<void>;
}

type FaultKind = 'cutBefore' | 'cutAfter' | 'stallAfter';

interface Fault {
  kind: FaultKind;
  marker: Buffer;
  happened(): void;
}

/** Starts a proxy in front of a server; each fault happens once, on the first connection that meets it. */
export async function createTcpFault({ target }: { target: { host: string; port: number } }): Promise<TcpFault> {
  const links = new Set<Link>();
  let armed: Fault | undefined;
  let blocked = false;
  const takeFault = (sent: Buffer) => {
    if (armed === undefined || !sent.includes(armed.marker)) return undefined;
    const fault = armed;
    armed = undefined;
    return fault;
  };
  const server = createServer((client) => {
    if (blocked) {
      client.destroy();
      return;
    }
    const link = new Link(client, connect(target), takeFault, () => links.delete(link));
    links.add(link);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const arm = async (kind: FaultKind, marker: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    armed = { kind, marker: Buffer.from(marker), happened: resolve };
    await promise;
  };
  return {
    port,
    through: (url) => urlThrough(url, port),
    cutBefore: (marker) => arm('cutBefore', marker),
    cutAfter: (marker) => arm('cutAfter', marker),
    stallAfter: (marker) => arm('stallAfter', marker),
    sayToClients: (bytes) => links.forEach((link) => link.sayToClient(bytes)),
    block() {
      blocked = true;
      links.forEach((link) => link.cut());
    },
    unblock() {
      blocked = false;
    },
    async close() {
      links.forEach((link) => link.cut());
      server.close();
      await once(server, 'close');
    },
  };
}

/** Connection through the proxy. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #takeFault: (sent: Buffer) => Fault | undefined;
  #fault: Fault | undefined;
  /** End of the sent bytes, because a marker may come in two pieces. */
  #tail: Buffer = Buffer.alloc(0);

  constructor(client: Socket, server: Socket, takeFault: (sent: Buffer) => Fault | undefined, ended: () => void) {
    this.#client = client;
    this.#server = server;
    this.#takeFault = takeFault;
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on('data', (bytes: Buffer) => this.#forward(bytes));
    server.on('data', (bytes: Buffer) => this.#answer(bytes));
    for (const socket of [client, server]) {
      socket.on('error', () => this.cut());
      socket.on('close', () => {
        this.cut();
        ended();
      });
    }
  }

  sayToClient(bytes: Buffer): void {
    this.#client.write(bytes);
  }

  cut(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #forward(bytes: Buffer): void {
    const sent = Buffer.concat([this.#tail, bytes]);
    this.#tail = sent.subarray(-256);
    this.#fault ??= this.#takeFault(sent);
    if (this.#fault?.kind === 'cutBefore') {
      this.cut();
      this.#fault.happened();
      return;
    }
    this.#server.write(bytes);
    if (this.#fault?.kind === 'stallAfter') this.#fault.happened();
  }

  #answer(bytes: Buffer): void {
    if (this.#fault === undefined) {
      this.#client.write(bytes);
      return;
    }
    if (this.#fault.kind === 'cutAfter') {
      this.cut();
      this.#fault.happened();
    }
  }
}

function urlThrough(url: string, port: number): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  if (changed.protocol === 'mongodb:') {
    // Otherwise the driver would continue with the addresses that the members report.
    changed.searchParams.delete('replicaSet');
    changed.searchParams.set('directConnection', 'true');
    if (changed.pathname === '') changed.pathname = '/';
  }
  return changed.href;
}
