import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault, FaultPlan, Operation } from './faults.ts';
import type { TrackerReply, TrackerRequest } from './traffic.ts';

/** API of a provider behind the server. */
export interface TrackerApi {
  /** Path before that of the API: `/api/v4`. */
  prefix: string;
  operationOf(request: Omit<TrackerRequest, 'operation' | 'status'>): Operation;
  /** Answers a request, which has its effect by then. */
  reply(request: TrackerRequest): TrackerReply | Promise<TrackerReply>;
  /** Answers a request whose rate is limited; it has no effect. */
  rateLimited(fault: Extract<Fault, { kind: 'rate_limited' }>): TrackerReply;
}

export interface TrackerServer {
  readonly url: string;
  readonly requests: TrackerRequest[];
  stop(): Promise<void>;
}

/** Starts a server on loopback. The API is made once the address is known, which answers contain. */
export async function startTrackerServer(
  apiOf: (url: string) => TrackerApi,
  faults: FaultPlan,
  port = 0,
): Promise<TrackerServer> {
  const requests: TrackerRequest[] = [];
  const server = createServer((request, response) => {
    receive(api, request)
      .then(async (received) => {
        requests.push(received);
        await answer(api, received, response, faults.take(received.operation));
      })
      .catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = apiOf(url);
  let stopped: Promise<unknown> | undefined;
  return {
    url,
    requests,
    async stop() {
      if (stopped === undefined) {
        stopped = once(server, 'close');
        server.close();
        server.closeAllConnections();
      }
      await stopped;
    },
  };
}

async function receive(api: TrackerApi, request: IncomingMessage): Promise<TrackerRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const json = jsonIn(Buffer.concat(chunks).toString());
  const path = url.pathname.startsWith(api.prefix) ? url.pathname.slice(api.prefix.length) : '';
  const received = { method: request.method ?? '', path, url, headers: request.headers, json };
  return { ...received, operation: api.operationOf(received), status: 0 };
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function answer(
  api: TrackerApi,
  request: TrackerRequest,
  response: ServerResponse,
  fault?: Fault,
): Promise<void> {
  if (fault?.kind === 'rate_limited') return send(request, response, api.rateLimited(fault));
  if (fault !== undefined && 'when' in fault && fault.when === 'before') return failWith(fault, request, response);
  const reply = await api.reply(request);
  if (fault === undefined) return send(request, response, reply);
  failWith(fault, request, response, reply);
}

function failWith(fault: Fault, request: TrackerRequest, response: ServerResponse, reply?: TrackerReply): void {
  switch (fault.kind) {
    case 'silent':
      return;
    case 'fail':
      return send(request, response, { status: fault.status, text: '<html>Bad gateway</html>' });
    case 'malformed':
      return send(request, response, { status: 200, text: malformed(fault.as, reply) });
    case 'cut':
      if (fault.when !== 'within' || reply === undefined) return void response.destroy();
      return cutWithin(request, response, reply);
    case 'rate_limited':
      return undefined;
  }
}

function malformed(as: Extract<Fault, { kind: 'malformed' }>['as'], reply?: TrackerReply): string {
  if (as === 'html') return '<!doctype html><title>Sign in</title>';
  const text = textOf(reply ?? { status: 200 });
  return as === 'half' ? text.slice(0, text.length / 2) : '';
}

function cutWithin(request: TrackerRequest, response: ServerResponse, reply: TrackerReply): void {
  const text = textOf(reply);
  request.status = reply.status;
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text) + 1,
  });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

function send(request: TrackerRequest, response: ServerResponse, reply: TrackerReply): void {
  request.status = reply.status;
  const type = reply.text === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  response.writeHead(reply.status, { 'content-type': type, ...reply.headers });
  response.end(textOf(reply));
}

function textOf({ status, text, body }: TrackerReply): string {
  return text ?? (body === undefined || status === 204 ? '' : JSON.stringify(body));
}
