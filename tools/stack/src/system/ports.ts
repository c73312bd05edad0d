import { randomInt } from 'node:crypto';
import net from 'node:net';
import { z } from 'zod';
import { readJson, writeJson } from './files.ts';

// Below the range from which Linux and macOS take source ports of outgoing connections, so that none of these can
// occupy a server's port while the server restarts.
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;

const Ports = z.record(z.string(), z.number().int());

/** Ports of one home directory: chosen once, stored, and chosen again only if another program has taken one. */
export interface PortBook {
  claim(name: string): Promise<number>;
}

/** Port book stored in the file; several port books of one process may share it. */
export function createPortBook(file: string): PortBook {
  const remembered = () => readJson(file, Ports) ?? {};
  let previousClaim: Promise<unknown> = Promise.resolve();

  async function claimNow(name: string): Promise<number> {
    const known = remembered()[name];
    if (known !== undefined && (await isPortFree(known))) return known;
    const port = await findFreePort(new Set(Object.values(remembered())));
    writeJson(file, { ...remembered(), [name]: port });
    return port;
  }

  return {
    claim(name) {
      const claim = previousClaim.then(() => claimNow(name));
      previousClaim = claim.catch(() => undefined);
      return claim;
    },
  };
}

/** Port of 127.0.0.1 that is free, and that no outgoing connection will get. */
export async function findFreePort(except: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (!except.has(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`no free port was found between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}

/**
 * Whether a server listens on this port of 127.0.0.1. Unlike `isPortFree`, it does not occupy the port for a moment.
 */
export function isPortServed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
