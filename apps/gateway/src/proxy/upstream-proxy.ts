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
  /** Called with the error if something fails before an answer begins. */
  onError: (error: AppError, request: IncomingMessage, response: ServerResponse) => void;
}

export interface ProxyCall {
  request: IncomingMessage;
  response: ServerResponse;
  /** Silence of the upstream after which the call is given up. */
  timeoutMs: number;
  maxBodyBytes: number;
  /** Ends an event stream that has no end of its own; event streams of other calls end by themselves. */
  endEvents?: AbortSignal | undefined;
}

/** Proxy that streams requests to one upstream. */
export interface UpstreamProxy {
  forward(call: ProxyCall): void;
  isOpen(): boolean;
  close(): void;
}

interface Attempt {
  call: ProxyCall;
  /** Whether the request went out on a connection that had served another request before. */
  onKeptSocket: boolean;
}

type Middleware = ReturnType<typeof createProxyMiddleware<IncomingMessage, ServerResponse>>;

/** Idle time after which a socket is closed here, before the services close it (75 s). */
const AGENT_IDLE_MS = 60_000;
const MAX_IDLE_SOCKETS = 64;

/**
 * Creates a proxy to one upstream with its own keep-alive agent; if the caller goes away, the upstream call is
 * cancelled.
 */
export function createUpstreamProxy(options: UpstreamProxyOptions): UpstreamProxy {
  const { breaker } = options;
  // No limit on sockets: a request would wait for one without a time limit. Requests in progress are limited instead.
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
        // Node would throw when the answer is written with such a status.
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
  // A retry takes a new connection: if one kept connection has gone stale, the others may have too.
  const retryMiddleware = createProxyMiddleware<IncomingMessage, ServerResponse>({ ...common, agent: false });

  function run(by: Middleware, request: IncomingMessage, response: ServerResponse): void {
    void by(request, response, (error?: unknown) => {
      // Errors of the upstream arrive in the error event; this error means that the engine could not even begin.
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
  // The gateway never asks for an upgrade; without a listener Node closes the socket and reports nothing.
  upstreamRequest.once('upgrade', (_upstreamResponse, socket) => {
    upstreamRequest.emit('error', new Error('The upstream wanted to change the protocol'));
    socket.destroy();
  });
  if (upstreamRequest.socket?.connecting === true) boundConnect(upstreamRequest, connectTimeoutMs);
  if (!hasBody(request)) return;
  // If the request was answered before its whole body had arrived (408, 413), nobody will send the rest.
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

/** Refuses a body without a declared size as soon as it has grown too large. */
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
  // Empty selects the standard phrase of the status; the service's own could hold characters invalid in a header line.
  upstreamResponse.statusMessage = '';
  if (isEventStream(upstreamResponse)) {
    // The reader waits for the headers, and the first event may be long in coming. An event that is already here goes
    // out with them.
    setImmediate(() => {
      if (!response.headersSent && !response.destroyed) response.flushHeaders();
    });
  }
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith(EVENT_STREAM) === true;
}

/** Ends an event stream, possibly in the middle of an event: the reader drops a partial event and asks again. */
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

/** Trailers need a body in chunks, which HTTP/1.0 does not have; Node throws for any other. */
function canHaveTrailers({ headers }: IncomingMessage, { req }: ServerResponse): boolean {
  return headers['transfer-encoding'] === 'chunked' && req.method !== 'HEAD' && req.httpVersion === '1.1';
}

/**
 * Passes trailers on, since the proxy engine passes only headers and body. This listener is called before the one that
 * ends the answer.
 */
function passTrailers(names: readonly string[], upstreamResponse: IncomingMessage, response: ServerResponse): void {
  upstreamResponse.headers.trailer = names.join(', ');
  upstreamResponse.once('end', () => {
    const { trailers } = upstreamResponse;
    // All trailers in one call: a second call would replace those of the first.
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
  // The caller went away, so nobody is left to answer.
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
