import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders;
  path: string;
  body: string;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

/** Receiver of webhooks on loopback, whose behaviour a test changes. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export const answering =
  (status: number, headers: Record<string, string> = {}, body = 'thanks'): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** Behaviours of receivers that a sender must live with. */
export const BEHAVIOURS = {
  /** Never answers. */
  hang: () => undefined,
  /** Answers with a body that never ends. */
  flood: (response) => {
    response.writeHead(200);
    const flood = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', flood);
    };
    flood();
  },
  /** Cuts the connection without an answer. */
  cut: (response) => response.destroy(),
} as const satisfies Record<string, Behaviour>;

export async function startReceiver(first: Behaviour = answering(200)): Promise<Receiver> {
  let behaviour = first;
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const one = { headers: request.headers, path: request.url ?? '', body };
      received.push(one);
      behaviour(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => (behaviour = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
