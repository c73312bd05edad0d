import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FastReceiver {
  readonly url: string;
  /** Times from the event to its arrival, in milliseconds, by phase: the `contentId` of the event. */
  readonly delaysMs: ReadonlyMap<string, number[]>;
  stop(): void;
}

export interface OtherReceiver {
  readonly url: string;
  /** Whether it never answers from now on; otherwise it answers at once. */
  hang(isHanging: boolean): void;
  /** Number of requests that it left without an answer. */
  hanging(): number;
  stop(): void;
}

interface Told {
  timestamp: string;
  data: { contentId: string };
}

/** Starts a receiver that answers at once, and notes how old each event is when it arrives. */
export async function startFast(): Promise<FastReceiver> {
  const delaysMs = new Map<string, number[]>();
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const atMs = Date.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      const { timestamp, data } = JSON.parse(Buffer.concat(chunks).toString()) as Told;
      const known = delaysMs.get(data.contentId) ?? [];
      delaysMs.set(data.contentId, known);
      known.push(atMs - Date.parse(timestamp));
    });
  });
  return { url: await listening(server), delaysMs, stop: () => end(server) };
}

/** Starts a receiver that answers at once, or never. */
export async function startOther(): Promise<OtherReceiver> {
  let [isHanging, count] = [false, 0];
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    if (isHanging) count += 1;
    else request.resume().on('end', () => response.writeHead(204).end());
  });
  return {
    url: await listening(server),
    hang: (next) => (isHanging = next),
    hanging: () => count,
    stop: () => end(server),
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}
