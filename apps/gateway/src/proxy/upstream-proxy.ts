import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { AppError } from '@clew/kernel';

export interface UpstreamProxyOptions {
  target: string;
  /** Called with what went wrong before an answer began. */
  onError: (error: AppError, request: IncomingMessage, response: ServerResponse) => void;
}

export interface ProxyCall {
  request: IncomingMessage;
  response: ServerResponse;
  /** Silence of the upstream after which the call is given up. */
  timeoutMs: number;
}

/** Streams requests to one upstream. */
export interface UpstreamProxy {
  forward(call: ProxyCall): void;
  close(): void;
}

/** Sockets idle longer are closed here, before the services close them (75 s). */
const AGENT_IDLE_MS = 60_000;
const MAX_UPSTREAM_SOCKETS = 256;
const MAX_IDLE_SOCKETS = 64;

class UpstreamTimeoutError extends Error {}

/** A proxy to one upstream over its own keep-alive agent; a caller that goes away cancels the upstream call. */
export function createUpstreamProxy(options: UpstreamProxyOptions): UpstreamProxy {
  const agent = new Agent({
    keepAlive: true,
    keepAliveMsecs: AGENT_IDLE_MS,
    timeout: AGENT_IDLE_MS,
    maxSockets: MAX_UPSTREAM_SOCKETS,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    scheduling: 'lifo',
  });
  const timeouts = new WeakMap<IncomingMessage, number>();
  const retried = new WeakSet<IncomingMessage>();
  const plugin: Plugin<IncomingMessage, ServerResponse> = (proxy) => {
    proxy.on('proxyReq', (upstreamRequest, request) => watch(upstreamRequest, timeouts.get(request)));
    proxy.on('proxyRes', (upstreamResponse, _request, response) => {
      const { headers } = upstreamResponse;
      delete headers['keep-alive'];
      headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
    });
    proxy.on('error', (error, request, response) => {
      if (request === undefined || !isServerResponse(response)) return;
      if (mayRetry(error, request, response) && !retried.has(request)) {
        retried.add(request);
        void middleware(request, response, ignore);
        return;
      }
      settle(error, request, response, options);
    });
  };
  const middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: options.target,
    agent,
    ejectPlugins: true,
    plugins: [plugin],
  });
  return {
    forward({ request, response, timeoutMs }) {
      timeouts.set(request, timeoutMs);
      void middleware(request, response, ignore);
    },
    close: () => agent.destroy(),
  };
}

function ignore(): void {
  // Errors arrive by the proxy's error event.
}

function watch(upstreamRequest: ClientRequest, timeoutMs: number | undefined): void {
  if (timeoutMs === undefined) return;
  upstreamRequest.setTimeout(timeoutMs, () => upstreamRequest.destroy(new UpstreamTimeoutError()));
}

/** A kept-alive socket that the upstream closed at the same moment: the request was not read, so it is safe to repeat. */
function mayRetry(error: Error, request: IncomingMessage, response: ServerResponse): boolean {
  const reset = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
  const repeatable = request.method === 'GET' || request.method === 'HEAD';
  return reset && repeatable && !response.headersSent && !response.destroyed;
}

function settle(
  error: Error,
  request: IncomingMessage,
  response: ServerResponse,
  { onError }: UpstreamProxyOptions,
): void {
  // The caller went away; nobody is left to answer.
  if (response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  onError(asAppError(error), request, response);
}

function asAppError(error: Error): AppError {
  if (error instanceof UpstreamTimeoutError) {
    return new AppError('UPSTREAM_TIMEOUT', 'The service did not answer in time', { cause: error });
  }
  return new AppError('UPSTREAM_UNAVAILABLE', 'The service is not available', {
    cause: error,
    headers: { 'retry-after': '1' },
  });
}

function isServerResponse(value: unknown): value is ServerResponse {
  return value !== null && typeof value === 'object' && 'writeHead' in value;
}
