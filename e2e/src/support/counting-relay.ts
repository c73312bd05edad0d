import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Relay that forwards connections to a process and counts the connections that carried a request. */
export interface CountingRelay {
  readonly url: string;
  readonly spokenOver: number;
  close(): Promise<void>;
}

export async function startCountingRelay(targetUrl: string): Promise<CountingRelay> {
  const { hostname, port: targetPort } = new URL(targetUrl);
  const open = new Set<Socket>();
  let spokenOver = 0;
  const server = createServer((caller) => {
    const target = connect(Number(targetPort), hostname);
    caller.once('data', () => (spokenOver += 1));
    caller.pipe(target).pipe(caller);
    for (const [socket, other] of [
      [caller, target],
      [target, caller],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        open.delete(socket);
        other.destroySoon();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get spokenOver() {
      return spokenOver;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
