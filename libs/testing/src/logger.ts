import { createLogger, type Logger } from '@clew/runtime';

/** A logger that writes nothing. */
export function silentLogger(): Logger {
  return createLogger({ service: 'test', version: '0', level: 'silent', destination: { write: () => undefined } });
}
