import { isUtf8 } from 'node:buffer';

/** Range of bytes in a buffer. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Piece of JSON that is written often, as bytes. */
export type Token = Uint8Array;

export function token(text: string): Token {
  return Buffer.from(text);
}

/** Error: the value does not fit under the limit; everything written before it is kept. */
export class JsonLimitReached extends Error {}

const QUOTE = 34;
const BACKSLASH = 92;
const ZERO = 48;
const FIRST_PRINTABLE = 32;
const FIRST_NON_ASCII = 128;
const BYTE_VALUES = 256;
const HEX_DIGITS = token('0123456789abcdef');
const MINUS = token('-');
const QUOTATION_MARK = token('"');
const BILLION = 1_000_000_000;
const DIGITS_BELOW_BILLION = 9;
const MAX_LOOP_BYTES = 64;

const SHORT_ESCAPES: Readonly<Record<number, string>> = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
  [QUOTE]: '\\"',
  [BACKSLASH]: '\\\\',
};
/** Escape sequences, indexed by the byte that they stand for. */
const ESCAPES: readonly Token[] = Array.from({ length: FIRST_NON_ASCII }, (_, byte) =>
  token(SHORT_ESCAPES[byte] ?? `\\u${byte.toString(16).padStart(4, '0')}`),
);

/**
 * Writes JSON as bytes, from bytes: text never becomes a string on its way, which would take most of the time and
 * memory.
 */
export class JsonWriter {
  /** Length in bytes beyond which writing throws JsonLimitReached. */
  limit = Number.POSITIVE_INFINITY;
  #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Drops all bytes after an earlier length of the writer. */
  rewind(length: number): void {
    this.#length = length;
  }

  /** Returns the written bytes without a copy; the writer must not be used any more. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  raw(piece: Token): void {
    this.#reserve(piece.length);
    // A loop is faster than a native copy for the few bytes that most pieces have.
    if (piece.length > MAX_LOOP_BYTES) this.#bytes.set(piece, this.#length);
    else
      for (let index = 0; index < piece.length; index += 1) this.#bytes[this.#length + index] = piece[index] as number;
    this.#length += piece.length;
  }

  /** Writes JSON that is already text. */
  json(text: string): void {
    this.#reserve(Buffer.byteLength(text));
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Writes a string from UTF-8 bytes; invalid UTF-8 becomes U+FFFD. */
  string(source: Buffer, range: Range): void {
    if (this.#stringBelow(FIRST_NON_ASCII, source, range)) return;
    const part = source.subarray(range.start, range.end);
    if (isUtf8(part)) this.#stringBelow(BYTE_VALUES, source, range);
    else this.json(JSON.stringify(part.toString()));
  }

  /** Writes bytes as lower-case hex, in quotes. */
  hex(source: Buffer, { start, end }: Range): void {
    this.#reserve(2 * (end - start) + 2);
    const bytes = this.#bytes;
    let length = this.#length;
    bytes[length++] = QUOTE;
    for (let index = start; index < end; index += 1) {
      const byte = source[index] as number;
      bytes[length++] = HEX_DIGITS[byte >> 4] as number;
      bytes[length++] = HEX_DIGITS[byte & 15] as number;
    }
    bytes[length++] = QUOTE;
    this.#length = length;
  }

  /** Writes an unsigned 64-bit integer from its halves, as decimal text in quotes: a JSON number may not hold it. */
  quotedUint64(high: number, low: number): void {
    // Division by 10^9 in 16-bit digits: exact in doubles, while dividing the whole number would not be.
    const upper = (high % BILLION) * 65_536 + (low >>> 16);
    const lower = (upper % BILLION) * 65_536 + (low & 0xffff);
    const upperQuotient = Math.floor(high / BILLION) * 65_536 + Math.floor(upper / BILLION);
    const billions = upperQuotient * 65_536 + Math.floor(lower / BILLION);
    this.raw(QUOTATION_MARK);
    if (billions > 0) this.#digits(billions, digitCount(billions));
    this.#digits(lower % BILLION, billions > 0 ? DIGITS_BELOW_BILLION : digitCount(lower % BILLION));
    this.raw(QUOTATION_MARK);
  }

  /** Writes an integer that a double holds exactly. */
  integer(value: number): void {
    if (value < 0) this.raw(MINUS);
    const magnitude = Math.abs(value);
    this.#digits(magnitude, digitCount(magnitude));
  }

  /** Writes a string whose bytes are all below `bound`; otherwise writes nothing and returns false. */
  #stringBelow(bound: number, source: Buffer, { start, end }: Range): boolean {
    const begin = this.#length;
    this.#reserve(end - start + 2);
    let bytes = this.#bytes;
    let length = begin;
    bytes[length++] = QUOTE;
    for (let index = start; index < end; index += 1) {
      const byte = source[index] as number;
      if (byte >= FIRST_PRINTABLE && byte < bound && byte !== QUOTE && byte !== BACKSLASH) {
        bytes[length++] = byte;
        continue;
      }
      if (byte >= bound) {
        this.#length = begin;
        return false;
      }
      const escape = ESCAPES[byte] as Token;
      this.#length = length;
      this.#reserve(escape.length + end - index);
      this.raw(escape);
      bytes = this.#bytes;
      length = this.#length;
    }
    bytes[length++] = QUOTE;
    this.#length = length;
    return true;
  }

  #digits(value: number, count: number): void {
    this.#reserve(count);
    let rest = value;
    for (let index = this.#length + count - 1; index >= this.#length; index -= 1) {
      const tenth = Math.floor(rest / 10);
      this.#bytes[index] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    this.#length += count;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.limit) throw new JsonLimitReached();
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function digitCount(value: number): number {
  let count = 1;
  for (let bound = 10; value >= bound; bound *= 10) count += 1;
  return count;
}
