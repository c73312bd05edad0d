import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request as the stub got it. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answer of the stub: a whole one, or a function that writes it. */
export type StubAnswer =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | ((response: ServerResponse, request: SeenRequest) => void);

/** Loopback server that gives answers in their order, the last one for ever, and keeps the requests. */
export interface StubApi {
  url: string;
  seen: SeenRequest[];
  /** Sets the answers of the requests that follow. */
  answer(...answers: StubAnswer[]): void;
  close(): Promise<void>;
}

export async function startStubApi(): Promise<StubApi> {
  const seen: SeenRequest[] = [];
  let answers: StubAnswer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(parts).toString() };
      seen.push(one);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (typeof answer === 'function') answer(response, one);
      else write(response, answer ?? {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer(...next) {
      seen.length = 0;
      answers = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function write(
  response: ServerResponse,
  answer: Exclude<StubAnswer, (response: ServerResponse, request: SeenRequest) => void>,
) {
  const { status = 200, headers = {}, json, text } = answer;
  response.writeHead(status, { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(json === undefined ? text : JSON.stringify(json));
}

/** Error body of the API. */
export function errorBody(code: string, message = 'no') {
  return { error: 'Error', code, message, requestId: 'req_1' };
}

/** Answer that is cut after a part of its body. */
export function cutAnswer(text: string): StubAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(text, () => response.destroy());
  };
}

/** Answer that never comes: the connection is cut. */
export const noAnswer: StubAnswer = (response) => response.destroy();

/** Reads everything that comes. */
export async function gathered<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
