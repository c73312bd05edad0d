import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the number of open connections. At the limit, a new connection closes the oldest one that has sent nothing
 * yet; if all have sent something, the new one is closed. Connections are not counted by address: behind an ingress all
 * have the same.
 */
export function boundConnections(server: Server, maxConnections: number): void {
  /** Connections that had sent nothing when last looked at, oldest first. */
  const silent = new Set<Socket>();
  let openCount = 0;

  function closeSilent(): boolean {
    for (const socket of silent) {
      silent.delete(socket);
      if (socket.destroyed || socket.bytesRead > 0) continue;
      socket.destroy();
      return true;
    }
    return false;
  }

  server.on('connection', (socket: Socket) => {
    if (openCount >= maxConnections && !closeSilent()) {
      socket.destroy();
      return;
    }
    openCount += 1;
    silent.add(socket);
    socket.once('close', () => {
      openCount -= 1;
      silent.delete(socket);
    });
  });
}
