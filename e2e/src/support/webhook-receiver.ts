import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedEvent[];
  /** Status of every answer; 200 at first. */
  status: number;
  stop(): void;
}

/** Starts a receiver of webhooks on loopback. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    ...{ received, status: 200 },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
