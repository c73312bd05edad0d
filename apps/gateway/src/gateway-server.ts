import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { AppError, newId, toAppError } from '@clew/kernel';
import { SERVICE_REQUEST_ID_HEADER, type IdentitySigner } from '@clew/http';
import type { RouteClass } from '@clew/contracts';
import type { Logger } from '@clew/runtime';
import type { AccessLog, RequestRecord } from './access-log.ts';
import type { StoredApiKey } from './api-keys/api-key.ts';
import type { Authenticator } from './auth/authenticator.ts';
import { callerFor, projectOfCall } from './auth/caller-for.ts';
import { rememberCaller } from './caller.ts';
import { prepareUpstreamHeaders } from './proxy/headers.ts';
import { resolveRoute, type GatewayRoute, type UpstreamName } from './proxy/route-table.ts';
import type { UpstreamProxy } from './proxy/upstream-proxy.ts';
import type { RateLimit } from './rate-limit.ts';
import { answerClientError, pathOf, sendError } from './send-error.ts';

export interface GatewayServerOptions {
  authenticator: Authenticator;
  rateLimit: RateLimit;
  sign: IdentitySigner;
  upstreams: Readonly<Record<UpstreamName, UpstreamProxy>>;
  /** Answers the gateway's own routes. */
  ownRoutes: RequestListener;
  accessLog: AccessLog;
  logger: Logger;
  maxBodyBytes: Readonly<Record<RouteClass, number>>;
  upstreamTimeoutMs: Readonly<Record<RouteClass, number>>;
  maxRequestsInFlight: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
}

const CONNECTIONS_CHECK_MS = 1_000;

/**
 * The plain HTTP server in front of everything: it authenticates, limits and forwards. Express serves only the
 * gateway's own routes, since on the proxied path it costs a tenth of the throughput.
 */
export function createGatewayServer(options: GatewayServerOptions): Server {
  let inFlight = 0;
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs,
      // Bodies of streamed imports take long; ordinary ones are bounded in `watchSlowBody`.
      requestTimeout: 0,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
    (request, response) => {
      inFlight += 1;
      const record = begin(response);
      response.on('close', () => {
        inFlight -= 1;
        options.accessLog(request, response, record);
      });
      const overloaded = inFlight > options.maxRequestsInFlight;
      handle(options, request, response, record, overloaded).catch((error: unknown) => {
        fail(options, response, toAppError(error), record);
      });
    },
  );
  server.on('clientError', answerClientError);
  return server;
}

function begin(response: ServerResponse): RequestRecord {
  const requestId = newId('req');
  response.setHeader(SERVICE_REQUEST_ID_HEADER, requestId);
  return { requestId, startedAtMs: performance.now(), route: 'unmatched', keyId: undefined };
}

async function handle(
  options: GatewayServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
  overloaded: boolean,
): Promise<void> {
  const route = resolveRoute(pathOf(request));
  if (route.kind === 'public') return answerByOwnRoutes(options, request, response, record);
  if (overloaded) {
    throw new AppError('OVERLOADED', 'Too many requests are under way', { headers: { 'retry-after': '1' } });
  }
  // Most keys are in the cache: then this takes no turn of the event loop.
  const found = options.authenticator.authenticate(request);
  const key = found instanceof Promise ? await found : found;
  record.keyId = key.id;
  await options.rateLimit(key.id, response);
  if (route.kind === 'own') {
    rememberCaller(request, callerFor(key, route.projectId));
    watchSlowBody(request, response, options.requestTimeoutMs);
    return answerByOwnRoutes(options, request, response, record);
  }
  forward(options, request, response, record, route, key);
}

function answerByOwnRoutes(
  options: GatewayServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
): void {
  record.route = 'gateway';
  request.headers[SERVICE_REQUEST_ID_HEADER] = record.requestId;
  options.ownRoutes(request, response);
}

function forward(
  options: GatewayServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
  route: Extract<GatewayRoute, { kind: 'proxied' }>,
  key: StoredApiKey,
): void {
  record.route = route.upstream;
  refuseLargeBody(request, options.maxBodyBytes[route.routeClass]);
  const projectId = route.projectId ?? projectOfCall(key, request);
  const identity = options.sign(`${key.id}:${projectId}`, callerFor(key, projectId));
  prepareUpstreamHeaders(request, record.requestId, identity);
  if (route.routeClass !== 'stream') watchSlowBody(request, response, options.requestTimeoutMs);
  options.upstreams[route.upstream].forward({
    request,
    response,
    timeoutMs: options.upstreamTimeoutMs[route.routeClass],
  });
}

/** A declared size is refused before a byte is read; a body without one is counted by the service that reads it. */
function refuseLargeBody(request: IncomingMessage, maxBytes: number): void {
  const declaredBytes = request.headers['content-length'];
  if (declaredBytes !== undefined && Number(declaredBytes) > maxBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
  }
}

/** Ends a request whose body does not arrive in time; a request without a body costs nothing here. */
function watchSlowBody(request: IncomingMessage, response: ServerResponse, timeoutMs: number): void {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    if (response.headersSent) response.destroy();
    else sendError(response, slowBody(), String(response.getHeader(SERVICE_REQUEST_ID_HEADER)));
    response.once('finish', () => request.destroy());
  }, timeoutMs);
  const stop = () => clearTimeout(timer);
  request.once('end', stop);
  response.once('close', stop);
}

function slowBody(): AppError {
  return new AppError('REQUEST_TIMEOUT', 'The body took too long to arrive', { headers: { connection: 'close' } });
}

function fail(options: GatewayServerOptions, response: ServerResponse, error: AppError, record: RequestRecord): void {
  if (error.status >= 500) {
    const { requestId, route } = record;
    options.logger.error({ err: error.cause ?? error, requestId, route, code: error.code }, error.message);
  }
  if (response.destroyed) return;
  if (response.headersSent) response.destroy();
  else sendError(response, error, record.requestId);
}
