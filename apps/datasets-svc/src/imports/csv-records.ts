import { decodeStrictly, type Line } from '@clew/kernel';

const QUOTE = 34;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** Part of a record in which a byte stands. */
type Place = 'field start' | 'plain' | 'quoted' | 'after quote' | 'after return' | 'broken';

/**
 * Cuts a byte stream into the records of a CSV (RFC 4180): a newline within quotes does not end a record. A record has
 * the number of its first line. A record with misplaced quotes is refused up to the end of that line, and the next line
 * begins a new one. A record over the size limit is refused without being held in memory.
 */
export class CsvRecordCutter {
  readonly #delimiter: number;
  readonly #maxRecordBytes: number;
  #line = 1;
  #firstLine = 1;
  #place: Place = 'field start';
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(delimiter: string, maxRecordBytes: number) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#maxRecordBytes = maxRecordBytes;
  }

  /** Number of lines that have ended so far. */
  get lineCount(): number {
    return this.#line - 1;
  }

  *cut(chunk: Buffer): Generator<Line> {
    let start = 0;
    let index = 0;
    while (index < chunk.length) {
      if (this.#place === 'quoted') {
        index = this.#passQuoted(chunk, index);
        continue;
      }
      const byte = chunk[index] as number;
      index += 1;
      if (byte === NEWLINE) {
        this.#line += 1;
        this.#hold(chunk.subarray(start, index - 1));
        yield this.#finish(this.#line - 1);
        start = index;
      } else this.#place = this.#placeAfter(byte);
    }
    this.#hold(chunk.subarray(start));
  }

  *end(): Generator<Line> {
    if (this.#pendingBytes === 0) return;
    if (this.#place === 'quoted') this.#place = 'broken';
    yield this.#finish(this.#line);
  }

  /** Skips quoted text; returns the index after the closing quote, or the end of the chunk. */
  #passQuoted(chunk: Buffer, from: number): number {
    const quote = chunk.indexOf(QUOTE, from);
    const end = quote === -1 ? chunk.length : quote;
    for (let newline = chunk.indexOf(NEWLINE, from); newline !== -1 && newline < end;) {
      this.#line += 1;
      newline = chunk.indexOf(NEWLINE, newline + 1);
    }
    if (quote === -1) return end;
    this.#place = 'after quote';
    return quote + 1;
  }

  #placeAfter(byte: number): Place {
    switch (this.#place) {
      case 'broken':
      case 'after return':
        return 'broken';
      case 'after quote':
        // A doubled quote stands for one quote character.
        if (byte === QUOTE) return 'quoted';
        if (byte === CARRIAGE_RETURN) return 'after return';
        return byte === this.#delimiter ? 'field start' : 'broken';
      default:
        if (byte === this.#delimiter) return 'field start';
        return byte === QUOTE && this.#place === 'field start' ? 'quoted' : 'plain';
    }
  }

  #hold(part: Buffer): void {
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > this.#maxRecordBytes) this.#pending = [];
    else if (part.length > 0) this.#pending.push(part);
  }

  #finish(lastLine: number): Line {
    const number = this.#firstLine;
    const refusal = this.#refusal(lastLine);
    const bytes = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending);
    this.#firstLine = this.#line;
    this.#place = 'field start';
    this.#pending = [];
    this.#pendingBytes = 0;
    if (refusal !== undefined) return { number, refusal };
    const withoutReturn = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
    return { number, ...decodeStrictly(withoutReturn) };
  }

  #refusal(lastLine: number): string | undefined {
    if (this.#pendingBytes > this.#maxRecordBytes) return `is longer than ${this.#maxRecordBytes} bytes`;
    if (this.#place !== 'broken') return undefined;
    const extent = lastLine > this.#firstLine ? `; its record reaches to line ${lastLine}` : '';
    return `has a quote that is not closed, or not doubled${extent}`;
  }
}
