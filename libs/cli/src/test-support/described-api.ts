import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationOf, problemsOf, sampleOf, type Found } from './schemas.ts';

/** Request as it came. */
export interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Loopback server that answers every request as the API description allows, and checks each against it. */
export interface DescribedApi {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Ways in which requests did not fit the description. */
  readonly problems: string[];
  /** Bodies that were answered. */
  readonly answered: unknown[];
  /** Answers this error to every request from now on; undefined for none. */
  fail(status: number | undefined): void;
  /** Answers requests to a path, the end of it, otherwise than described. */
  answer(pathEnd: string, answer: (response: ServerResponse, request: SeenRequest) => void): void;
  /** Forgets requests and special answers. */
  reset(): void;
  close(): Promise<void>;
}

export const ERROR_CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'UPSTREAM_UNAVAILABLE',
};

export async function startDescribedApi(): Promise<DescribedApi> {
  const seen: SeenRequest[] = [];
  const problems: string[] = [];
  const answered: unknown[] = [];
  const special = new Map<string, (response: ServerResponse, request: SeenRequest) => void>();
  let failure: number | undefined;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://stub');
      const one: SeenRequest = {
        ...{ method: request.method ?? '', path: decodeURIComponent(url.pathname), headers: request.headers },
        query: Object.fromEntries(url.searchParams),
        body: Buffer.concat(parts).toString(),
      };
      seen.push(one);
      const found = operationOf(one.method, url.pathname);
      if (found === undefined) problems.push(`${one.method} ${one.path} is no operation`);
      else problems.push(...problemsWith(found, one));
      const otherwise = [...special].find(([end]) => one.path.endsWith(end))?.[1];
      if (failure !== undefined) writeJson(response, failure, errorBody(ERROR_CODES[failure] ?? 'UNKNOWN'));
      else if (otherwise !== undefined) otherwise(response, one);
      else if (found !== undefined) answerAsDescribed(response, one, found, answered);
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ seen, problems, answered },
    fail(status) {
      failure = status;
    },
    answer: (pathEnd, answer) => void special.set(pathEnd, answer),
    reset() {
      for (const kept of [seen, problems, answered]) kept.length = 0;
      special.clear();
      failure = undefined;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Error body of the API. */
export function errorBody(code: string, message = 'no') {
  return { error: 'Error', code, message, requestId: 'req_1' };
}

export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', etag: '"1"', 'x-service-request-id': 'req_1' });
  response.end(JSON.stringify(body));
}

function problemsWith({ operation }: Found, { method, path, query, headers, body }: SeenRequest): string[] {
  const where = `${method} ${path}`;
  const known = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const names = known.map(({ name }) => name);
  const unknown = Object.keys(query).filter((name) => !names.includes(name));
  const missing = known.filter(({ name, required }) => required === true && query[name] === undefined);
  const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
  const schema = operation.requestBody?.content[type]?.schema;
  return [
    ...unknown.map((name) => `${where}: unknown parameter ${name}`),
    ...missing.map(({ name }) => `${where}: ${name} is missing`),
    ...(schema !== undefined && type === 'application/json'
      ? problemsOf(schema, JSON.parse(body)).map((problem) => `${where}: ${problem}`)
      : []),
  ];
}

function answerAsDescribed(
  response: ServerResponse,
  { headers }: SeenRequest,
  { operation }: Found,
  answered: unknown[],
): void {
  const status = Object.keys(operation.responses).find((code) => code.startsWith('2')) ?? '200';
  const content = operation.responses[status]?.content ?? {};
  const types = Object.keys(content);
  const asked = types.find((type) => (headers.accept ?? '').includes(type)) ?? types[0];
  if (asked === undefined) return void response.writeHead(Number(status)).end();
  const { schema, 'x-itemSchema': item = schema } = content[asked] ?? {};
  const body = sampleOf(item ?? { properties: { id: { type: 'string' } } });
  answered.push(body);
  if (asked === 'application/json') return writeJson(response, Number(status), body);
  response.writeHead(Number(status), { 'content-type': asked });
  if (asked === 'text/event-stream') response.end(`data: ${JSON.stringify(body)}\n\n`);
  else response.end(asked === 'text/csv' ? 'id\none\n' : `${JSON.stringify(body)}\n`);
}
