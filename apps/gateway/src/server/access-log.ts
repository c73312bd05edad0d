import type { IncomingMessage, ServerResponse } from 'node:http';
import { histogramOf, type Logger, type MetricsRegistry, type Span } from '@clew/runtime';
import type { CallKind } from './concurrency-limit.ts';

/** Facts about a request, filled in while it is handled. */
export interface RequestRecord {
  requestId: string;
  startedAtMs: number;
  /** Name of the upstream, `gateway` for its own routes, or `workbench`: few values, since it labels a metric. */
  route: string;
  /** Id of the key or the person. */
  keyId: string | undefined;
  isPerson: boolean;
  /** Kind under which the request is counted; undefined until it is. */
  kind: CallKind | undefined;
  /** Trace span of the request, if it is traced. */
  span: Span | undefined;
}

export type AccessLog = (request: IncomingMessage, response: ServerResponse, record: RequestRecord) => void;

/** Status that nginx gives to a request whose caller went away before an answer began. */
const CLIENT_CLOSED_REQUEST = 499;
const MAX_CORRELATION_ID_LENGTH = 128;

/** Writes one log line and one histogram sample for each request, when its response is over. */
export function createAccessLog(logger: Logger, metrics: MetricsRegistry): AccessLog {
  const durations = histogramOf(metrics, 'clew_http_request_duration_seconds');
  // None of the fields below can hold a secret, and searching them for secrets would be a large share of a line's cost.
  const lines = logger.child({}, { redact: [] });
  return (request, response, record) => {
    const durationMs = performance.now() - record.startedAtMs;
    const { method = '' } = request;
    const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
    durations.observe({ method, route: record.route, status }, durationMs / 1000);
    lines.info(
      {
        requestId: record.requestId,
        traceId: record.span?.traceId,
        correlationId: correlationIdOf(request),
        method,
        route: record.route,
        status,
        // The answer broke off after the status had gone out.
        cut: response.writableFinished ? undefined : true,
        keyId: record.isPerson ? undefined : record.keyId,
        userId: record.isPerson ? record.keyId : undefined,
        durationMs: Math.round(durationMs * 100) / 100,
      },
      'request',
    );
  };
}

/** Caller's own id for the request: written to the log, never used. */
function correlationIdOf({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' ? given.slice(0, MAX_CORRELATION_ID_LENGTH) : undefined;
}
