import type { JsonWriter, Range } from '../../json/json-writer.ts';
import { MAX_NAME_LENGTH } from '../../records/limits.ts';

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

export function isTraceId(bytes: Buffer, id: Range): boolean {
  return id.end - id.start === TRACE_ID_BYTES && !isZero(bytes, id);
}

export function isSpanId(bytes: Buffer, id: Range): boolean {
  return id.end - id.start === SPAN_ID_BYTES && !isZero(bytes, id);
}

/** Whether all bytes are zero, as in an absent id. */
export function isZero(bytes: Buffer, { start, end }: Range): boolean {
  for (let index = start; index < end; index += 1) if (bytes[index] !== 0) return false;
  return true;
}

/** Writes a name, cut if it is too long. */
export function writeName(out: JsonWriter, bytes: Buffer, name: Range): void {
  // The number of characters is never greater than the number of bytes.
  if (name.end - name.start <= MAX_NAME_LENGTH) out.string(bytes, name);
  else out.json(JSON.stringify(bytes.toString('utf8', name.start, name.end).slice(0, MAX_NAME_LENGTH)));
}

/** Position that stands for a missing fixed64. */
export const NOWHERE = -1;

export function isZeroAt(bytes: Buffer, position: number): boolean {
  return position === NOWHERE || (bytes.readUInt32LE(position) === 0 && bytes.readUInt32LE(position + 4) === 0);
}

/** Writes the fixed64 at a position as decimal text, in quotes: nanoseconds do not fit in a number. */
export function writeUnixNano(out: JsonWriter, bytes: Buffer, position: number): void {
  if (position === NOWHERE) out.quotedUint64(0, 0);
  else out.quotedUint64(bytes.readUInt32LE(position + 4), bytes.readUInt32LE(position));
}
