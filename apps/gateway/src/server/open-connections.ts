import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections that are open at a time. Where there is one more, the one that has been silent from its
 * beginning for longest is closed for it; where all have sent something, the newcomer is. Connections are not counted by
 * address: behind an ingress all have the same.
 */
export function boundConnections(server: Server, maxConnections: number): void {
  /** Those that had sent nothing when they were looked at last, oldest first. */
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
