import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults of the way to the API: two that come in place of the request, and two that come after its effect. */
export const FAULTS = ['429', '503', 'cut body', 'cut before the answer'] as const;
export type Fault = (typeof FAULTS)[number];

/** Relay that forwards requests and does something wrong with those that it is told to. */
export interface FaultyRelay {
  readonly url: string;
  /** Number of requests that something was done to. */
  readonly faults: number;
  /** Does something wrong with the first attempt of each of the calls that follow; undefined: with none. */
  break(fault: Fault | undefined): void;
  close(): Promise<void>;
}

export async function startFaultyRelay(targetUrl: string): Promise<FaultyRelay> {
  let fault: Fault | undefined;
  let faults = 0;
  let isFirst = true;
  const server = createServer((request, response) => {
    const now = isFirst ? fault : undefined;
    isFirst = now === undefined;
    faults += Number(now !== undefined);
    void relay(targetUrl, request, response, now).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get faults() {
      return faults;
    },
    break(next) {
      [fault, isFirst] = [next, true];
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function relay(targetUrl: string, request: IncomingMessage, response: ServerResponse, fault: Fault | undefined) {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const body = Buffer.concat(parts);
  if (fault === '429' || fault === '503') {
    response.writeHead(Number(fault), { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ error: 'Error', code: 'OVERLOADED', message: 'later', requestId: 'req_relay' }));
    return;
  }
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
  const answer = await fetch(`${targetUrl}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
    ...(body.length === 0 ? {} : { body }),
  });
  const text = Buffer.from(await answer.arrayBuffer());
  if (fault === 'cut before the answer' || (fault === 'cut body' && text.length === 0)) return response.destroy();
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': text.length });
  if (fault === undefined) response.end(text);
  else response.write(text.subarray(0, text.length / 2), () => response.destroy());
}
