/** A line of a streamed file, or the reason why it cannot be read. */
export type Line = { number: number; text: string } | { number: number; refusal: string };

const NEWLINE = 10;
const NUL = 0;

/** Cuts a byte stream into lines of UTF-8 text; a line over the limit is refused without being held in memory. */
export class LineCutter {
  readonly #maxLineBytes: number;
  #number = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** How many lines have come so far. */
  get lineCount(): number {
    return this.#number;
  }

  /** Of the line that has not ended yet. */
  get heldBytes(): number {
    return Math.min(this.#pendingBytes, this.#maxLineBytes);
  }

  /** The lines that end in a chunk. */
  *cut(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      yield this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** What came after the last newline. */
  *end(): Generator<Line> {
    if (this.#pendingBytes > 0) yield this.#finishLine();
  }

  #hold(part: Buffer): void {
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > this.#maxLineBytes) this.#pending = [];
    else this.#pending.push(part);
  }

  #finishLine(): Line {
    this.#number += 1;
    const number = this.#number;
    const bytes = Buffer.concat(this.#pending);
    const isTooLong = this.#pendingBytes > this.#maxLineBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    return isTooLong ? { number, refusal: `is longer than ${this.#maxLineBytes} bytes` } : decode(number, bytes);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(number: number, bytes: Buffer): Line {
  if (bytes.includes(NUL)) return { number, refusal: 'is not UTF-8 text: it holds NUL bytes, as UTF-16 does' };
  try {
    return { number, text: UTF8.decode(bytes) };
  } catch {
    return { number, refusal: 'is not UTF-8 text' };
  }
}

/** Whether a file begins with the byte order mark of UTF-16. */
export function isUtf16(firstChunk: Buffer): boolean {
  if (firstChunk.length < 2) return false;
  const mark = firstChunk.readUInt16BE(0);
  return mark === 0xfeff || mark === 0xfffe;
}
