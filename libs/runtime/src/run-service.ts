import { ConfigError } from './config.ts';
import type { Logger } from './logger.ts';
import { describeUsage, isUsageError } from './usage-error.ts';

/** Component that can be stopped. */
export interface Stoppable {
  name: string;
  stop(): Promise<void> | void;
}

export interface RunOptions {
  logger: Logger;
  graceMs: number;
  /**
   * Returns the components to stop at that time, in order: first those that take new work, last those that others
   * depend on; the components of an inner list stop together.
   */
  stopInOrder(): readonly (Stoppable | readonly Stoppable[])[];
}

const FLUSH_TIMEOUT_MS = 1_000;

/**
 * Keeps a process running until SIGTERM or SIGINT, then stops everything in order within the grace time. An uncaught
 * error ends the process: its supervisor restarts it, which is better than a damaged process.
 */
export function runUntilSignal(options: RunOptions): void {
  const { logger } = options;
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    const deadline = setTimeout(() => {
      logger.error({ graceMs: options.graceMs }, 'did not stop in time');
      exit(logger, 1);
    }, options.graceMs);
    void stopAll(options).then((clean) => {
      clearTimeout(deadline);
      logger.info('stopped');
      exit(logger, clean ? 0 : 1);
    });
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('uncaughtException', (error) => die(logger, error));
  process.on('unhandledRejection', (reason) => die(logger, reason));
}

async function stopAll({ stopInOrder, logger }: RunOptions): Promise<boolean> {
  let clean = true;
  const stopOne = async (part: Stoppable): Promise<void> => {
    try {
      await part.stop();
    } catch (error) {
      clean = false;
      logger.error({ err: error, part: part.name }, 'could not stop cleanly');
    }
  };
  for (const parts of stopInOrder()) await Promise.all([parts].flat().map(stopOne));
  return clean;
}

function die(logger: Logger, error: unknown): void {
  logger.fatal({ err: error }, 'unexpected error');
  exit(logger, 1);
}

function exit(logger: Logger, code: number): void {
  // A log reader that no longer reads must not keep the process alive.
  setTimeout(() => process.exit(code), FLUSH_TIMEOUT_MS);
  logger.flush(() => process.exit(code));
}

/**
 * Runs the start of a process; a failure is reported on standard error, without a stack if an operator can fix it. With
 * `usage`, the process takes arguments, and ends with 2 if they are wrong.
 */
export async function startService(start: () => Promise<void>, usage?: string): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (usage !== undefined && isUsageError(error)) {
      process.stderr.write(describeUsage(error, usage));
      process.exit(2);
    }
    const isOperators = error instanceof ConfigError || isUsageError(error);
    process.stderr.write(`${isOperators ? error.message : String((error as Error)?.stack ?? error)}\n`);
    process.exit(1);
  }
}
