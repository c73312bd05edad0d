import { pino, type DestinationStream } from 'pino';

/** Lines are written in blocks of this size, since a system call for each would cost more than making it. */
const BLOCK_LENGTH = 16_000;
/** A line waits at most this long for its block to fill. */
const FLUSH_EVERY_MS = 500;

/** What pino asks of a destination: it flushes at once what is fatal, and when the process is about to end. */
export interface LogDestination extends DestinationStream {
  flush(done?: (error?: Error) => void): void;
  flushSync(): void;
}

/**
 * Standard output, written in blocks, and flushed when the process ends. Blocks are made
 * here: pino's own stream can as well, but looks through what waits already once more for each line, which costs more
 * than to make the line.
 */
export function createLogDestination(): LogDestination {
  let waiting = '';
  function handOver(): void {
    if (waiting === '') return;
    const block = waiting;
    waiting = '';
    output.write(block);
  }
  // Before the listener of pino's stream, which ends it.
  process.once('beforeExit', handOver);
  // Not by another thread: a process that is killed right after what is fatal would lose what that has in hand. With a
  // least length its flush waits until all is written.
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
