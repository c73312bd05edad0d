import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Where secrets travel; they are replaced before a line is written. */
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

/** Lines are written in blocks of this size, since a system call for each would cost more than making it. */
const BLOCK_BYTES = 16_000;
/** A line waits at most this long for its block to fill. */
const FLUSH_EVERY_MS = 500;

/** JSON lines on standard output, written in blocks off the request path and flushed when the process ends. */
export function createLogger(options: LoggerOptions): Logger {
  const destination =
    options.destination ??
    pino.destination({ dest: 1, sync: false, minLength: BLOCK_BYTES, periodicFlush: FLUSH_EVERY_MS });
  return pino(
    {
      level: options.level,
      base: { service: options.service, version: options.version },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      timestamp: () => `,"timeMs":${Date.now()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** A logger that writes nothing. */
export function silentLogger(): Logger {
  return createLogger({ service: 'silent', version: '0', level: 'silent', destination: { write: () => undefined } });
}
