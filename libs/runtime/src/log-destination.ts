import { pino, type DestinationStream } from 'pino';

/** Size of the blocks in which lines are written; a system call per line would cost more than creating the line. */
const BLOCK_LENGTH = 16_000;
/** Maximum time that a line waits for its block to fill. */
const FLUSH_EVERY_MS = 500;

/** Destination as pino requires it: flushed at once for fatal errors, and when the process is about to end. */
export interface LogDestination extends DestinationStream {
  flush(done?: (error?: Error) => void): void;
  flushSync(): void;
}

/**
 * Standard output, written in blocks and flushed when the process ends. Blocks are built here, because pino's own
 * stream rescans the waiting text for each line, which costs more than creating the line.
 */
export function createLogDestination(): LogDestination {
  let waiting = '';
  function handOver(): void {
    if (waiting === '') return;
    const block = waiting;
    waiting = '';
    output.write(block);
  }
  // Runs before the listener of pino's stream, which ends the stream.
  process.once('beforeExit', handOver);
  // Synchronous, not in another thread: a process that is killed right after a fatal error would lose the thread's
  // data. With a minimum length, its flush waits until everything is written.
  const output = pino.destination({ dest: 1, sync: true, minLength: 1 });
  setInterval(handOver, FLUSH_EVERY_MS).unref();
  const destination: LogDestination = {
    write(line) {
      waiting += line;
      if (waiting.length >= BLOCK_LENGTH) handOver();
    },
    flush(done) {
      handOver();
      output.flush(done);
    },
    flushSync() {
      handOver();
      output.flushSync();
    },
  };
  process.once('exit', () => {
    if (waiting !== '') destination.flushSync();
  });
  return destination;
}
