import { pino, type DestinationStream, type Logger } from 'pino';
import { createLogDestination } from './log-destination.ts';
import { currentSpan, isTracing } from './tracing/tracing.ts';

export type { Logger } from 'pino';

/** Paths of secrets, which are redacted before a line is written. */
const REDACTED_PATHS = [
  'authorization',
  '*.authorization',
  'headers.authorization',
  'headers.cookie',
  'req.headers.authorization',
  'req.headers.cookie',
  'apiKey',
  '*.apiKey',
  'secret',
  '*.secret',
  'password',
  '*.password',
];

export interface LoggerOptions {
  service: string;
  version: string;
  level: string;
  destination?: DestinationStream;
}

/** Creates a logger of JSON lines on standard output, written in blocks off the request path and flushed at the end. */
export function createLogger(options: LoggerOptions): Logger {
  const { destination = createLogDestination() } = options;
  return pino(
    {
      level: options.level,
      base: { service: options.service, version: options.version },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      timestamp: () => `,"timeMs":${Date.now()}`,
      // No mixin without tracing, so that log lines cost nothing more.
      ...(isTracing() ? { mixin: traceOfLine } : {}),
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** Adds the trace id beside the request id, so that lines and traces can be found from each other. */
function traceOfLine(): { traceId?: string } {
  const span = currentSpan();
  return span === undefined ? {} : { traceId: span.traceId };
}

/** A logger that writes nothing. */
export function silentLogger(): Logger {
  return createLogger({ service: 'silent', version: '0', level: 'silent', destination: { write: () => undefined } });
}
