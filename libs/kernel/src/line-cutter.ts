import { isUtf8 } from 'node:buffer';

/** Line of a streamed file, or the reason why it cannot be read. */
export type Line = { number: number; text: string } | { number: number; refusal: string };

const NEWLINE = 10;
const NUL = 0;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Cuts a byte stream into lines of UTF-8 text; a line over the limit is rejected without being held in memory. */
export class LineCutter {
  readonly #maxLineBytes: number;
  #number = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  get lineCount(): number {
    return this.#number;
  }

  /** Bytes held of the line that has not ended yet. */
  get heldBytes(): number {
    return Math.min(this.#pendingBytes, this.#maxLineBytes);
  }

  /** Returns the lines that end in a chunk. */
  *cut(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield this.#finishLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** Returns the text after the last newline. */
  *end(): Generator<Line> {
    if (this.#pendingBytes > 0) yield this.#finishLine(Buffer.alloc(0));
  }

  #hold(part: Buffer): void {
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > this.#maxLineBytes) this.#pending = [];
    else this.#pending.push(part);
  }

  #finishLine(lastPart: Buffer): Line {
    this.#number += 1;
    const number = this.#number;
    const isTooLong = this.#pendingBytes + lastPart.length > this.#maxLineBytes;
    const bytes = this.#pending.length === 0 || isTooLong ? lastPart : Buffer.concat([...this.#pending, lastPart]);
    this.#pending = [];
    this.#pendingBytes = 0;
    if (isTooLong) return { number, refusal: `is longer than ${this.#maxLineBytes} bytes` };
    return { number, ...decodeStrictly(number === 1 ? withoutMark(bytes) : bytes) };
  }
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
}

/** Decodes UTF-8 bytes, or returns the reason why they are not UTF-8 text. */
export function decodeStrictly(bytes: Buffer): { text: string } | { refusal: string } {
  if (bytes.length === 0) return { text: '' };
  if (bytes.includes(NUL)) return { refusal: 'is not UTF-8 text: it holds NUL bytes, as UTF-16 does' };
  if (!isUtf8(bytes)) return { refusal: 'is not UTF-8 text' };
  return { text: bytes.toString('utf8') };
}

/** Tells whether a file begins with the byte order mark of UTF-16. */
export function isUtf16(firstChunk: Buffer): boolean {
  if (firstChunk.length < 2) return false;
  const mark = firstChunk.readUInt16BE(0);
  return mark === 0xfeff || mark === 0xfffe;
}
