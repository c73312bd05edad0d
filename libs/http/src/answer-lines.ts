import type { z } from 'zod';
import { type Line, LineCutter, readJson } from '@clew/kernel';

export interface LineOptions {
  /** Longer ones are refused without being held; 64 MiB by default. */
  maxLineBytes?: number;
  /** Told of a line that is not what the route declares; the reading goes on. Without it, it ends with that error. */
  onRefused?(problem: Error): void;
}

interface Watch {
  /** Waits for something of the other side, as long as it may take. */
  forNext<T>(awaited: Promise<T>): Promise<T>;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * The values of an answer that holds one in JSON a line, read as they are taken: what nobody has taken yet stays with
 * the other side. Rejects when the answer is cut off or does not go on in time.
 */
export async function* linesOfAnswer<Schema extends z.ZodType>(
  answer: ReadableStream<Uint8Array>,
  schema: Schema,
  watch: Watch,
  { maxLineBytes = MAX_LINE_BYTES, onRefused }: LineOptions,
): AsyncGenerator<z.output<Schema>> {
  const cutter = new LineCutter(maxLineBytes);
  const reader = answer.getReader();
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
      const { done, value } = await watch.forNext(reader.read());
      if (done) break;
      yield* valuesOf(cutter.cut(Buffer.from(value.buffer, value.byteOffset, value.byteLength)));
    }
    yield* valuesOf(cutter.end());
  } finally {
    // Also where whoever reads has had enough: the other side stops writing then.
    await reader.cancel().catch(() => undefined);
  }
}

function valueOf<Schema extends z.ZodType>(schema: Schema, line: Line): z.output<Schema> {
  if ('refusal' in line) throw new Error(`line ${line.number} ${line.refusal}`);
  return schema.parse(readJson(line.text));
}
