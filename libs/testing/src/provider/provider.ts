import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultAnswer, type ChatRequest, type ScriptedAnswer } from './answers.ts';
import type { Reply } from './behaviours.ts';
import { completionBody, completionChunks } from './chat.ts';
import { embeddingsBody, transcriptionBody, type EmbedText } from './other-operations.ts';

/** Request as the provider received it. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** Parsed body, if it is JSON. */
  body: unknown;
  /** Whether the caller disconnected before the answer was complete. */
  aborted: boolean;
}

export interface StartProviderOptions {
  /** Requests with another key get 401. */
  apiKey?: string;
  models?: readonly string[];
  /** Answers chats without a scripted answer. */
  reply?: Reply;
  /**
   * Computes the vector of a text; undefined if the model does not embed. By default, each text has its own vector in
   * any model.
   */
  embed?: EmbedText;
  port?: number;
}

/** OpenAI-compatible server on loopback with scripted answers. */
export interface ScriptedProvider {
  /** Base URL to configure: `http://127.0.0.1:port/v1`. */
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Maximum number of requests that it had in hand at a time. */
  readonly mostInHand: number;
  /** Scripts the answers to the next requests, in order. */
  script(...answers: ScriptedAnswer[]): void;
  stop(): Promise<void>;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  received: ReceivedRequest;
}

const DEFAULT_MODELS = ['tiny-chat', 'tiny-embedding', 'tiny-whisper'];

export async function startProvider(options: StartProviderOptions = {}): Promise<ScriptedProvider> {
  const requests: ReceivedRequest[] = [];
  const scripted: ScriptedAnswer[] = [];
  let [inHand, mostInHand] = [0, 0];
  const server = createServer((request, response) => {
    inHand += 1;
    mostInHand = Math.max(mostInHand, inHand);
    response.on('close', () => (inHand -= 1));
    receive(request, response)
      .then(async (exchange) => {
        requests.push(exchange.received);
        await answer(exchange, options, () => takeFor(exchange.received, scripted), requests.length);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get mostInHand() {
      return mostInHand;
    },
    script: (...answers) => void scripted.push(...answers),
    stop: () =>
      (stopped ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}

function takeFor({ bytes }: ReceivedRequest, scripted: ScriptedAnswer[]): ScriptedAnswer | undefined {
  const at = scripted.findIndex(({ about }) => about === undefined || bytes.includes(about));
  return at < 0 ? undefined : scripted.splice(at, 1)[0];
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  const received: ReceivedRequest = {
    path: request.url ?? '',
    headers: request.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
    aborted: false,
  };
  response.on('close', () => {
    received.aborted = !response.writableFinished;
  });
  return { request, response, received };
}

async function answer(
  { response, received }: Exchange,
  options: StartProviderOptions,
  nextScripted: () => ScriptedAnswer | undefined,
  number: number,
): Promise<void> {
  if (options.apiKey !== undefined && received.headers.authorization !== `Bearer ${options.apiKey}`) {
    return sendError(response, { status: 401 });
  }
  if (received.path.endsWith('/models')) return sendJson(response, modelList(options.models ?? DEFAULT_MODELS));
  const isChat = received.path.endsWith('/chat/completions');
  const reply = () => (options.reply ?? defaultAnswer)(received.body as ChatRequest);
  const scripted = nextScripted() ?? (isChat ? await reply() : undefined);
  if (scripted?.silent === true) return;
  if (scripted?.delayMs !== undefined) await sleep(scripted.delayMs);
  if (scripted?.rawBody !== undefined) {
    response.writeHead(scripted.status ?? 200, { 'content-type': 'application/json', ...scripted.headers });
    return void response.end(scripted.rawBody);
  }
  if (scripted?.status !== undefined && scripted.status >= 400) return sendError(response, scripted);
  const id = `chatcmpl-${number}`;
  if (isChat && scripted !== undefined) {
    return await sendChat(response, received.body as ChatRequest, scripted, id);
  }
  if (received.path.endsWith('/completions')) {
    const { model, prompt } = received.body as { model: string; prompt: unknown };
    const choices = [{ index: 0, text: scripted?.text ?? `${String(prompt)} and so on`, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
    return sendJson(response, { id, object: 'text_completion', created: 1, model, choices, usage });
  }
  if (received.path.endsWith('/embeddings')) {
    const body = embeddingsBody(received.body, options.embed);
    return body === undefined ? sendError(response, { status: 400 }) : sendJson(response, body);
  }
  if (received.path.endsWith('/audio/transcriptions')) {
    return sendJson(response, await transcriptionBody(received.bytes, received.headers['content-type'] ?? ''));
  }
  sendError(response, { status: 404 });
}

async function sendChat(
  response: ServerResponse,
  request: ChatRequest,
  said: ScriptedAnswer,
  id: string,
): Promise<void> {
  if (request.stream !== true) {
    const text = JSON.stringify(completionBody(request, said, id));
    if (said.chunkDelayMs !== undefined) return await sendSlowly(response, text, said.chunkDelayMs);
    if (said.cutAfter === undefined) return sendText(response, text, said.headers);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, said.cutAfter), () => response.destroy());
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...said.headers });
  for (const [index, data] of completionChunks(request, said, id).entries()) {
    if (said.chunkDelayMs !== undefined) await sleep(said.chunkDelayMs);
    if (response.destroyed) return;
    if (index === said.cutAfter) return void response.destroy();
    await new Promise<void>((resolve) => response.write(`data: ${data}\n\n`, () => resolve()));
  }
  response.end();
}

const PIECES = 10;

async function sendSlowly(response: ServerResponse, text: string, pauseMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const length = Math.ceil(text.length / PIECES);
  for (let at = 0; at < text.length && !response.destroyed; at += length) {
    await sleep(pauseMs);
    response.write(text.slice(at, at + length));
  }
  response.end();
}

function modelList(models: readonly string[]): unknown {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'loopback' })) };
}

function sendJson(response: ServerResponse, body: unknown): void {
  sendText(response, JSON.stringify(body));
}

function sendText(response: ServerResponse, text: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

const ERROR_TYPE: Readonly<Record<number, string>> = {
  401: 'invalid_request_error',
  429: 'rate_limit_error',
};

function sendError(response: ServerResponse, { status = 500, headers }: ScriptedAnswer): void {
  const type = ERROR_TYPE[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  const error = { message: `The provider answers ${status}`, type, param: null, code: `loopback_${status}` };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error }));
}
