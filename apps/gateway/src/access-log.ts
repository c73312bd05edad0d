import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpDurationHistogram, type Logger, type MetricsRegistry } from '@clew/runtime';

/** What a request turned out to be, filled in while it is handled. */
export interface RequestRecord {
  requestId: string;
  startedAtMs: number;
  /** The upstream, or `gateway` for its own routes: few values, since it labels a metric. */
  route: string;
  keyId: string | undefined;
}

export type AccessLog = (request: IncomingMessage, response: ServerResponse, record: RequestRecord) => void;

/** One log line and one histogram sample for each request, once its response is over. */
export function createAccessLog(logger: Logger, metrics: MetricsRegistry): AccessLog {
  const durations = httpDurationHistogram(metrics);
  return (request, response, record) => {
    const durationMs = performance.now() - record.startedAtMs;
    const { method } = request;
    const status = response.writableFinished ? response.statusCode : 499;
    durations.observe({ method: method ?? '', route: record.route, status }, durationMs / 1000);
    logger.info(
      {
        requestId: record.requestId,
        correlationId: request.headers['x-request-id'],
        method,
        route: record.route,
        status,
        keyId: record.keyId,
        durationMs: Math.round(durationMs * 100) / 100,
      },
      'request',
    );
  };
}
