import type { IncomingMessage, ServerResponse } from 'node:http';
import { histogramOf, type Logger, type MetricsRegistry, type Span } from '@clew/runtime';
import type { CallKind } from './concurrency-limit.ts';

/** What a request turned out to be, filled in while it is handled. */
export interface RequestRecord {
  requestId: string;
  startedAtMs: number;
  /** The upstream, or `gateway` for its own routes: few values, since it labels a metric. */
  route: string;
  keyId: string | undefined;
  /** The kind that it is counted as, once it is. */
  kind: CallKind | undefined;
  /** Where the request is traced. */
  span: Span | undefined;
}

export type AccessLog = (request: IncomingMessage, response: ServerResponse, record: RequestRecord) => void;

/** What nginx calls a request whose caller went away before an answer began. */
const CLIENT_CLOSED_REQUEST = 499;
const MAX_CORRELATION_ID_LENGTH = 128;

/** One log line and one histogram sample for each request, once its response is over. */
export function createAccessLog(logger: Logger, metrics: MetricsRegistry): AccessLog {
  const durations = histogramOf(metrics, 'clew_http_request_duration_seconds');
  // None of the fields below can hold a secret; to search them for some would be a good part of what a line costs.
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
        // The status had gone out when the answer broke off.
        cut: response.writableFinished ? undefined : true,
        keyId: record.keyId,
        durationMs: Math.round(durationMs * 100) / 100,
      },
      'request',
    );
  };
}

/** The caller's own id for the request: told in the log, never used. */
function correlationIdOf({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' ? given.slice(0, MAX_CORRELATION_ID_LENGTH) : undefined;
}
