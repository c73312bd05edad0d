import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { AppError, errorBody, methodNotAllowed, newId, idPattern, toAppError } from '@clew/kernel';
import { histogramOf, resumeTrace, type Logger, type MetricsRegistry } from '@clew/runtime';
import { keepOpenForBody } from './early-answer.ts';
import { SERVICE_REQUEST_ID_HEADER, TRACE_HEADER } from './identity/token.ts';
import { inFlightCounter } from './in-flight.ts';
import { openAiErrorBody } from './openai-error.ts';
import { mountable, type MountOptions, type Route } from './implement.ts';

export interface ApiOptions extends Partial<Pick<MountOptions, 'maxBodyBytes' | 'checkResponses' | 'idempotency'>> {
  authenticate: MountOptions['authenticate'];
  logger: Logger;
  /** Absent if the caller that mounts the application measures its requests already. */
  metrics?: MetricsRegistry;
  routes: readonly Route[];
  /** Mounted before the routes: health, readiness, metrics. */
  operations?: readonly RequestHandler[];
  /** Creates the caller's error for a request that failed because a dependency of the process is away. */
  outageError?: ((thrown: unknown) => AppError | undefined) | undefined;
}

export const DEFAULT_MAX_BODY_BYTES = { json: 1024 * 1024, batch: 64 * 1024 * 1024 } as const;

const REQUEST_ID = idPattern('req');

/** Creates an Express application for the given routes, with request ids, metrics and the common error body. */
export function createApi(options: ApiOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(requestIds());
  app.use(traces());
  for (const operation of options.operations ?? []) app.use(operation);
  if (options.metrics !== undefined) app.use(observe(options.metrics, options.logger));
  const mountOptions: MountOptions = {
    maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
    checkResponses: process.env['CLEW_CHECK_RESPONSES'] === 'true',
    ...options,
  };
  const inFlight = options.metrics === undefined ? undefined : inFlightCounter(options.metrics);
  for (const entry of options.routes) {
    const { method, path, routeClass = 'json' } = entry.spec;
    app[method](path, ...(inFlight === undefined ? [] : [inFlight(routeClass)]), mountable(entry, mountOptions));
  }
  refuseOtherMethods(app, options.routes);
  app.use(() => {
    throw new AppError('NOT_FOUND', 'Not found');
  });
  app.use(answerErrors(options));
  return app;
}

/** Rejects unsupported methods on existing paths; `/things/search` is matched before `/things/:thingId`. */
function refuseOtherMethods(app: Express, routes: readonly Route[]): void {
  const routesByPath = [...Map.groupBy(routes, ({ spec }) => spec.path)];
  const parametersOf = ([path]: (typeof routesByPath)[number]) => path.split('/:').length;
  for (const [path, served] of routesByPath.toSorted((left, right) => parametersOf(left) - parametersOf(right))) {
    app.all(path, (_request, response) => {
      response.locals.errorFormat = served[0]?.spec.errorFormat;
      throw methodNotAllowed(served.map(({ spec }) => spec.method.toUpperCase()));
    });
  }
}

/** Uses the gateway's request id if the request came through the gateway, otherwise a new one. */
function requestIds(): RequestHandler {
  return (request, response, next) => {
    const given = request.headers[SERVICE_REQUEST_ID_HEADER];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
    response.locals.requestId = requestId;
    response.setHeader(SERVICE_REQUEST_ID_HEADER, requestId);
    next();
  };
}

/** Continues the trace that the gateway, or another service, began. */
function traces(): RequestHandler {
  return (request, response, next) => {
    const span = resumeTrace(request.headers[TRACE_HEADER], { name: request.method, kind: 'server' });
    if (span === undefined) return next();
    response.on('close', () => {
      const route = (response.locals.route as string | undefined) ?? 'unmatched';
      span.end({
        name: `${request.method} ${route}`,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': response.statusCode,
          'clew.request_id': response.locals.requestId as string,
        },
        hasFailed: response.statusCode >= 500,
      });
    });
    span.run(next);
  };
}

function observe(metrics: MetricsRegistry, logger: Logger): RequestHandler {
  const durations = histogramOf(metrics, 'clew_http_request_duration_seconds');
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const route = (response.locals.route as string | undefined) ?? 'unmatched';
      durations.observe({ method: request.method, route, status: response.statusCode }, durationMs / 1000);
      logger.debug(
        {
          requestId: response.locals.requestId,
          method: request.method,
          route,
          status: response.statusCode,
          durationMs,
        },
        'request',
      );
    });
    next();
  };
}

function answerErrors({ logger, outageError }: Pick<ApiOptions, 'logger' | 'outageError'>): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const requestId = response.locals.requestId as string;
    const error = outageError?.(thrown) ?? fromExpress(thrown);
    if (error.status >= 500) logger.error({ err: error.cause ?? error, requestId, code: error.code }, error.message);
    if (response.headersSent) {
      // The status has been sent already; cutting the connection is the only way left to signal the failure.
      response.destroy();
      return;
    }
    keepOpenForBody(request);
    for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
    if (error.status === 401) response.setHeader('www-authenticate', 'Bearer');
    const body = response.locals.errorFormat === 'openai' ? openAiErrorBody(error) : errorBody(error, requestId);
    response.status(error.status).json(body);
  };
}

/** Converts errors of Express itself, which carry a status: a path that does not decode, a missing file. */
function fromExpress(thrown: unknown): AppError {
  const status = (thrown as { status?: unknown } | null)?.status;
  if (thrown instanceof AppError || typeof status !== 'number' || status < 400 || status >= 500) {
    return toAppError(thrown);
  }
  if (status === 404) return new AppError('NOT_FOUND', 'Not found', { cause: thrown });
  return new AppError('BAD_REQUEST', 'The request is malformed', { cause: thrown });
}
