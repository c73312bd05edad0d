import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { type Line, LineCutter, readJson } from '@clew/kernel';

export interface LineOptions {
  /** Maximum length of a line; longer ones are rejected without being held; 64 MiB by default. */
  maxLineBytes?: number;
  /**
   * Called for a line that does not fit the route's schema; reading then continues. Without it, such a line ends the
   * reading with the error.
   */
  onRefused?(problem: Error): void;
}

interface Watch {
  /** Waits for something from the other side, without its own time limit. */
  forNext<T>(awaited: Promise<T>): Promise<T>;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Reads the values of an answer with one JSON value per line, as they are consumed: unread values stay with the other
 * side. Rejects if the answer is cut off or does not continue in time.
 */
export async function* linesOfAnswer<Schema extends z.ZodType>(
  answer: Readable,
  schema: Schema,
  watch: Watch,
  { maxLineBytes = MAX_LINE_BYTES, onRefused }: LineOptions,
): AsyncGenerator<z.output<Schema>> {
  const cutter = new LineCutter(maxLineBytes);
  const chunks = answer.iterator() as AsyncIterator<Buffer>;
  const valuesOf = function* (lines: Iterable<Line>): Generator<z.output<Schema>> {
    for (const line of lines) {
      try {
        yield valueOf(schema, line);
      } catch (error) {
        if (onRefused === undefined) throw error;
        onRefused(error as Error);
      }
    }
  };
  try {
    for (;;) {
      const { done, value } = await watch.forNext(chunks.next());
      if (done === true) break;
      yield* valuesOf(cutter.cut(value));
    }
    yield* valuesOf(cutter.end());
  } finally {
    // Also cancels if the reader stops early, so that the other side stops writing.
    answer.destroy();
  }
}

function valueOf<Schema extends z.ZodType>(schema: Schema, line: Line): z.output<Schema> {
  if ('refusal' in line) throw new Error(`line ${line.number} ${line.refusal}`);
  return schema.parse(readJson(line.text));
}
