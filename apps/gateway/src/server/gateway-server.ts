import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { comeBackLater, newId, notFound, toAppError, type AppError } from '@clew/kernel';
import { MAX_HEADER_BYTES, SERVER_KEEP_ALIVE_MS, SERVICE_REQUEST_ID_HEADER, TRACE_HEADER } from '@clew/http';
import { beginTrace } from '@clew/runtime';
import { isSignedIn, tokenKeyOf, type Credential } from '../auth/credential.ts';
import { projectOfCall } from '../auth/project-access.ts';
import { callerFor, rememberCaller } from '../caller.ts';
import { prepareUpstreamHeaders } from '../proxy/headers.ts';
import { HOME } from '../pages/return-path.ts';
import { EVENT_STREAM, resolveRoute, takesCookie, type GatewayRoute, type ProxiedRoute } from '../proxy/route-table.ts';
import { addressOf, rememberAddress } from '../request-origin.ts';
import { requireSameOrigin } from '../sessions/same-origin.ts';
import type { RequestRecord } from './access-log.ts';
import { callerAddress } from './caller-address.ts';
import { answerClientError, refuseConnect } from './client-error.ts';
import type { CallKind } from './concurrency-limit.ts';
import type { GatewayServerOptions } from './gateway-server-options.ts';
import { boundConnections } from './open-connections.ts';
import { acceptBody } from './accept-body.ts';
import { dropLeftover } from './request-body.ts';
import { requireOneHost, takePath } from './request-target.ts';
import { sendError } from './send-error.ts';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  record: RequestRecord;
  /** Gives back the request's share of its project. */
  leave?: () => void;
  /** Whether it is not among the requests in progress any more, because it listens. */
  isListening?: true;
}

const CONNECTIONS_CHECK_MS = 1_000;

/**
 * Plain HTTP server in front of everything: it authenticates, limits and forwards. Express serves only the gateway's
 * own routes, since on the proxied path it costs a tenth of the throughput.
 */
export function createGatewayServer(options: GatewayServerOptions): Server {
  const listener: RequestListener = (request, response) => receive(options, request, response);
  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs,
      // Streamed imports take long; the time of bodies is limited by `bodyDeadlines` and `bodyRates`.
      requestTimeout: 0,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      keepAliveTimeout: SERVER_KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Checked in `handle` instead: Node's own answers have neither a body nor a request id.
      requireHostHeader: false,
      // Without this, the second of two equal headers is dropped silently, while another hop may have taken that one.
      joinDuplicateHeaders: true,
    },
    listener,
  );
  boundConnections(server, options.maxConnections);
  // A caller that sends `Expect: 100-continue` is asked for its body only when the gateway wants it.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('connect', refuseConnect);
  server.on('clientError', answerClientError);
  return server;
}

function receive(options: GatewayServerOptions, request: IncomingMessage, response: ServerResponse): void {
  const exchange: Exchange = { request, response, record: begin(request, response) };
  if (options.proxies > 0) rememberAddress(request, callerAddress(request, options.proxies));
  options.loadShedder.begin();
  response.on('close', () => {
    if (exchange.isListening !== true) options.loadShedder.end();
    options.bodyDeadlines.forget(request);
    options.bodyRates.forget(request);
    const { keyId, kind } = exchange.record;
    if (keyId !== undefined && kind !== undefined) options.concurrencyLimit.end(keyId, kind);
    exchange.leave?.();
    dropLeftover(request, options.leftoverMs);
    options.accessLog(request, response, exchange.record);
    endSpan(exchange);
  });
  handle(options, exchange).catch((error: unknown) =>
    fail(options, exchange, options.outageError?.(error) ?? toAppError(error)),
  );
}

function begin(request: IncomingMessage, response: ServerResponse): RequestRecord {
  const requestId = newId('req');
  response.setHeader(SERVICE_REQUEST_ID_HEADER, requestId);
  // Sampling is decided here alone: a trace that the caller names is only linked.
  const span = beginTrace({ name: 'request', kind: 'server', linked: [request.headers['traceparent']] });
  return {
    requestId,
    startedAtMs: performance.now(),
    route: 'unmatched',
    keyId: undefined,
    isPerson: false,
    kind: undefined,
    span,
  };
}

function endSpan({ request, response, record: { span, requestId, route } }: Exchange): void {
  const { method = '' } = request;
  span?.end({
    name: `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': response.statusCode,
      'clew.request_id': requestId,
    },
    hasFailed: response.statusCode >= 500,
  });
}

async function handle(options: GatewayServerOptions, exchange: Exchange): Promise<void> {
  const { request, response, record } = exchange;
  requireOneHost(request);
  const path = takePath(request);
  const route = resolveRoute(request.method, path);
  if (route.kind === 'workbench' || (path === HOME && options.workbench !== undefined)) {
    if (options.workbench === undefined) throw notFound();
    return answerBy(options, exchange, 'workbench', options.workbench);
  }
  if (route.kind === 'public') return answerByOwnRoutes(options, exchange);
  if (options.loadShedder.isOverloaded()) {
    throw comeBackLater('OVERLOADED', 'The gateway has too much to do', 1_000);
  }
  if (route.kind === 'proxied' && route.isOpen === true) return await forwardOpen(options, exchange, route, path);
  if (route.kind === 'open') return await answerOpen(options, exchange, route, path);
  // A key in the cache, as for most requests, is returned without a turn of the event loop.
  const found = options.authenticator.authenticate(request, takesCookie(route));
  const key = found instanceof Promise ? await found : found;
  record.keyId = key.id;
  if (isSignedIn(key)) {
    record.isPerson = true;
    requireSameOrigin(request, options.publicOrigin);
  }
  await options.rateLimit(key.id, response);
  // A caller that went away while its key was looked up has already closed, and would be counted for ever.
  if (response.destroyed) return;
  const kind = kindOf(route, request);
  options.concurrencyLimit.begin(key.id, kind);
  record.kind = kind;
  if (route.kind === 'proxied') return await forward(options, exchange, route, key);
  if (route.projectId !== undefined && route.isOfWorkspace !== true) await options.projectAccess(key, route.projectId);
  if (response.destroyed) return;
  if (route.isListening === true) {
    exchange.isListening = true;
    options.loadShedder.end();
  } else {
    exchange.leave = options.projectShares.begin(key.projectIds === 'all' ? key.id : (key.projectIds[0] ?? key.id));
  }
  rememberCaller(request, callerFor(key, route.projectId));
  answerByOwnRoutes(options, exchange);
}

function kindOf(route: GatewayRoute, { headers }: IncomingMessage): CallKind {
  if (route.kind === 'own' && route.isListening === true) return 'events';
  if (route.kind !== 'proxied') return 'json';
  return route.hasEvents === true && headers.accept?.includes(EVENT_STREAM) === true ? 'events' : route.routeClass;
}

function answerByOwnRoutes(options: GatewayServerOptions, exchange: Exchange): void {
  answerBy(options, exchange, 'gateway', options.ownRoutes);
}

/** Lets a listener within this process answer, under its name in the access log. */
function answerBy(
  options: GatewayServerOptions,
  { request, response, record }: Exchange,
  name: string,
  listener: RequestListener,
): void {
  record.route = name;
  acceptBody(options, request, response, 'json');
  request.headers[SERVICE_REQUEST_ID_HEADER] = record.requestId;
  request.headers[TRACE_HEADER] = record.span?.traceparent;
  listener(request, response);
}

async function forward(
  options: GatewayServerOptions,
  exchange: Exchange,
  route: ProxiedRoute,
  key: Credential,
): Promise<void> {
  const { request, response, record } = exchange;
  record.route = route.upstream;
  const projectId = route.projectId ?? projectOfCall(key, request);
  const checked = options.projectAccess(key, projectId);
  if (checked instanceof Promise) await checked;
  if (response.destroyed) return;
  exchange.leave = options.projectShares.begin(projectId);
  const identity = options.sign(route.upstream, `${tokenKeyOf(key)}:${projectId}`, callerFor(key, projectId));
  const send = () => sendOn(options, exchange, route, identity);
  // The other kinds take long by their nature, and have limits of their own.
  if (record.kind === 'json' || record.kind === 'batch') {
    await options.projectShares.inTurn(route.upstream, projectId, response, send);
  } else send();
}

/** Share of all requests without a key, which together have what one project has. */
const OPEN_SHARE = 'without a key';

async function forwardOpen(
  options: GatewayServerOptions,
  exchange: Exchange,
  route: ProxiedRoute,
  path: string,
): Promise<void> {
  const { request, response, record } = exchange;
  record.route = route.upstream;
  await options.openRateLimit(request, path);
  if (response.destroyed) return;
  exchange.leave = options.projectShares.begin(OPEN_SHARE);
  const send = () => sendOn(options, exchange, route, undefined);
  await options.projectShares.inTurn(route.upstream, OPEN_SHARE, response, send);
}

/** Answers a route that people call before they are signed in; tries at passwords have a limit of their own. */
async function answerOpen(
  options: GatewayServerOptions,
  exchange: Exchange,
  { sameOrigin }: { sameOrigin?: true },
  path: string,
): Promise<void> {
  const { request, response } = exchange;
  if (sameOrigin === true) requireSameOrigin(request, options.publicOrigin);
  const address = addressOf(request) ?? '';
  await options.openRateLimit(request, `${address} ${path}`);
  if (response.destroyed) return;
  exchange.leave = options.projectShares.begin(OPEN_SHARE);
  answerByOwnRoutes(options, exchange);
}

function sendOn(
  options: GatewayServerOptions,
  { request, response, record }: Exchange,
  { upstream, routeClass }: ProxiedRoute,
  identity: string | undefined,
): void {
  acceptBody(options, request, response, routeClass);
  const { requestId, span } = record;
  prepareUpstreamHeaders(request, { requestId, identity, traceparent: span?.traceparent });
  options.upstreams[upstream].forward({
    request,
    response,
    timeoutMs: options.upstreamTimeoutMs[routeClass],
    maxBodyBytes: options.maxBodyBytes[routeClass],
    // Events of a model call end by themselves; those of other routes last for as long as the caller listens.
    endEvents: routeClass === 'json' ? options.ending : undefined,
  });
}

function fail(options: GatewayServerOptions, { request, response, record }: Exchange, error: AppError): void {
  // Other errors are in the access log; one more line for each would only add to an overload.
  if (error.code === 'INTERNAL_ERROR') {
    const { requestId, route } = record;
    options.logger.error({ err: error.cause ?? error, requestId, route }, 'a request failed');
  }
  if (response.destroyed) return;
  if (response.headersSent) response.destroy();
  else sendError(request, response, error);
}
