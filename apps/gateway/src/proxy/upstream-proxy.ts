import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { comeBackLater, type AppError } from '@clew/kernel';
import { hasBody } from '@clew/http';
import { createRequestSlot } from '../request-slot.ts';
import { tooLarge } from '../too-large.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { ownTrailers, prepareResponseHeaders } from './headers.ts';
import { createRetryBudget } from './retry-budget.ts';
import { EVENT_STREAM } from './route-table.ts';
import { meaningOf, UpstreamTimeoutError, wasNotRead } from './upstream-errors.ts';

export interface UpstreamProxyOptions {
  target: string;
  breaker: CircuitBreaker;
  connectTimeoutMs: number;
  /** Called with what went wrong before an answer began. */
  onError: (error: AppError, request: IncomingMessage, response: ServerResponse) => void;
}

export interface ProxyCall {
  request: IncomingMessage;
  response: ServerResponse;
  /** Silence of the upstream after which the call is given up. */
  timeoutMs: number;
  maxBodyBytes: number;
  /** Ends an answer of events that have no end of their own; events of other calls end by themselves. */
  endEvents?: AbortSignal | undefined;
}

/** Streams requests to one upstream. */
export interface UpstreamProxy {
  forward(call: ProxyCall): void;
  isOpen(): boolean;
  close(): void;
}

interface Attempt {
  call: ProxyCall;
  /** Whether it went out on a connection that had served another request before. */
  onKeptSocket: boolean;
}

type Middleware = ReturnType<typeof createProxyMiddleware<IncomingMessage, ServerResponse>>;

/** Sockets idle for longer are closed here, before the services close them (75 s). */
const AGENT_IDLE_MS = 60_000;
const MAX_IDLE_SOCKETS = 64;

/** A proxy to one upstream over its own keep-alive agent; a caller that goes away cancels the upstream call. */
export function createUpstreamProxy(options: UpstreamProxyOptions): UpstreamProxy {
  const { breaker } = options;
  // No limit of sockets: a request would wait for one without a time limit. Requests in flight are bounded instead.
  const agent = new Agent({
    keepAlive: true,
    timeout: AGENT_IDLE_MS,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    scheduling: 'lifo',
  });
  const attempts = createRequestSlot<Attempt>('attempt');
  const retries = createRetryBudget();

  const plugin: Plugin<IncomingMessage, ServerResponse> = (proxy) => {
    proxy.on('proxyReq', (upstreamRequest, request) => {
      const attempt = attempts.get(request);
      if (attempt === undefined) return;
      attempt.onKeptSocket = upstreamRequest.reusedSocket;
      supervise(upstreamRequest, attempt.call, options);
    });
    proxy.on('proxyRes', (upstreamResponse, request, response) => {
      const { statusCode = 0 } = upstreamResponse;
      if (statusCode < 200) {
        // Node would throw where the answer is written.
        upstreamResponse.destroy();
        settle(new Error(`The upstream answered with the status ${statusCode}`), request, response, options);
        return;
      }
      breaker.succeeded();
      beginAnswer(upstreamResponse, response);
      const endEvents = attempts.get(request)?.call.endEvents;
      if (endEvents !== undefined && isEventStream(upstreamResponse)) endOn(endEvents, upstreamResponse, response);
    });
    proxy.on('error', (error, request, response) => {
      if (request === undefined || !isServerResponse(response)) return;
      const onKeptSocket = attempts.get(request)?.onKeptSocket === true;
      if (onKeptSocket && wasNotRead(error, request, response) && retries.takeRetry()) {
        run(retryMiddleware, request, response);
      } else {
        settle(error, request, response, options);
      }
    });
  };
  const common = { target: new URL(options.target), ejectPlugins: true, plugins: [plugin] };
  const middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({ ...common, agent });
  // A retry takes a new connection: where one that was kept has gone stale, the others may have as well.
  const retryMiddleware = createProxyMiddleware<IncomingMessage, ServerResponse>({ ...common, agent: false });

  function run(by: Middleware, request: IncomingMessage, response: ServerResponse): void {
    void by(request, response, (error?: unknown) => {
      // Errors of the upstream came by the error event; this is what the engine could not even begin.
      if (!response.headersSent && !response.destroyed) settle(error, request, response, options);
    });
  }

  return {
    forward(call) {
      const waitMs = breaker.waitMs();
      if (waitMs > 0) throw unreachable(waitMs);
      attempts.set(call.request, { call, onKeptSocket: false });
      retries.countRequest();
      run(middleware, call.request, call.response);
    },
    isOpen: () => breaker.isOpen(),
    close: () => agent.destroy(),
  };
}

function supervise(upstreamRequest: ClientRequest, call: ProxyCall, { connectTimeoutMs }: UpstreamProxyOptions): void {
  const { request, response, timeoutMs } = call;
  upstreamRequest.setTimeout(timeoutMs, () => upstreamRequest.destroy(new UpstreamTimeoutError()));
  // Never asked for; without a listener Node closes the socket and tells nobody.
  upstreamRequest.once('upgrade', (_upstreamResponse, socket) => {
    upstreamRequest.emit('error', new Error('The upstream wanted to change the protocol'));
    socket.destroy();
  });
  if (upstreamRequest.socket?.connecting === true) boundConnect(upstreamRequest, connectTimeoutMs);
  if (!hasBody(request)) return;
  // Where the request was answered before its body had come (408, 413), nobody will send the rest.
  response.once('close', () => {
    if (!request.complete) upstreamRequest.destroy();
  });
  if (request.headers['transfer-encoding'] !== undefined) countBody(upstreamRequest, call);
}

function boundConnect(upstreamRequest: ClientRequest, timeoutMs: number): void {
  const { socket } = upstreamRequest;
  const timer = setTimeout(() => {
    upstreamRequest.destroy(Object.assign(new Error('The connection was not accepted in time'), { code: 'ETIMEDOUT' }));
  }, timeoutMs);
  const stop = () => clearTimeout(timer);
  socket?.once('connect', stop);
  socket?.once('close', stop);
}

/** Refuses a body without a declared size once it has grown too large. */
function countBody(upstreamRequest: ClientRequest, { request, maxBodyBytes }: ProxyCall): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) upstreamRequest.destroy(tooLarge(maxBodyBytes));
  });
}

function beginAnswer(upstreamResponse: IncomingMessage, response: ServerResponse): void {
  const trailers = canHaveTrailers(upstreamResponse, response) ? ownTrailers(upstreamResponse.headers.trailer) : [];
  prepareResponseHeaders(upstreamResponse, response);
  if (trailers.length > 0) passTrailers(trailers, upstreamResponse, response);
  // The standard phrase of the status; the service's own could hold what a header line must not.
  upstreamResponse.statusMessage = '';
  if (isEventStream(upstreamResponse)) {
    // Its reader waits for the head, and the first event may be long in coming. One that came along goes out with it.
    setImmediate(() => {
      if (!response.headersSent && !response.destroyed) response.flushHeaders();
    });
  }
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith(EVENT_STREAM) === true;
}

/** A reader of events drops one that has come by half, and asks again. */
function endOn(signal: AbortSignal, upstreamResponse: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    upstreamResponse.unpipe(response);
    upstreamResponse.destroy();
    response.end();
  };
  if (signal.aborted) return end();
  signal.addEventListener('abort', end, { once: true });
  response.once('close', () => signal.removeEventListener('abort', end));
}

/** Only after a body in chunks, which HTTP/1.0 does not know; Node throws for any other. */
function canHaveTrailers({ headers }: IncomingMessage, { req }: ServerResponse): boolean {
  return headers['transfer-encoding'] === 'chunked' && req.method !== 'HEAD' && req.httpVersion === '1.1';
}

/** The proxy itself passes on headers and body only; this listener is called before the one that ends the answer. */
function passTrailers(names: readonly string[], upstreamResponse: IncomingMessage, response: ServerResponse): void {
  upstreamResponse.headers.trailer = names.join(', ');
  upstreamResponse.once('end', () => {
    const { trailers } = upstreamResponse;
    // All at once: a second call would replace what the first one added.
    response.addTrailers(
      names.flatMap((name): [string, string][] => (name in trailers ? [[name, trailers[name] ?? '']] : [])),
    );
  });
}

function settle(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  { breaker, onError }: UpstreamProxyOptions,
): void {
  // The caller went away; nobody is left to answer.
  if (response.destroyed || response.writableEnded) return;
  const meaning = meaningOf(error);
  if (meaning.code === 'UPSTREAM_UNAVAILABLE') breaker.failed();
  if (response.headersSent) response.destroy();
  else onError(meaning, request, response);
}

function unreachable(waitMs: number): AppError {
  return comeBackLater('UPSTREAM_UNAVAILABLE', 'The service is not available', waitMs);
}

function isServerResponse(value: unknown): value is ServerResponse {
  return value !== null && typeof value === 'object' && 'writeHead' in value;
}
