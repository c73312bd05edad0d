import type { Range } from '../../json/json-writer.ts';

/** Error: the bytes are not a message of the expected form. */
export class WireFormatError extends Error {}

export const NO_RANGE: Range = { start: 0, end: 0 };

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;
const MAX_VARINT_BYTES = 10;

/**
 * Reads protobuf wire format (https://protobuf.dev/programming-guides/encoding) in place: nothing is copied, and a text
 * is a range of the buffer. Throws WireFormatError on bytes that are not what the caller expects.
 */
export class WireReader {
  readonly bytes: Buffer;
  /** Number of the field that `next` moved to. */
  field = 0;
  position: number;
  #wireType = 0;
  #end: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.position = start;
    this.#end = end;
  }

  /** Returns a reader of a message in the same buffer. */
  readerOf({ start, end }: Range): WireReader {
    return new WireReader(this.bytes, start, end);
  }

  /** Moves to the next field of the message; false at its end. The field must then be read or skipped. */
  next(): boolean {
    if (this.position >= this.#end) return false;
    const tag = this.#uint32();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    if (this.field === 0) throw new WireFormatError('field number 0');
    return true;
  }

  /** Enters the message in this field; returns the value to pass to `leave`. */
  enter(): number {
    const outerEnd = this.#end;
    this.#end = this.fieldEnd();
    return outerEnd;
  }

  /** Enters a message at a range that was taken before; returns the value to pass to `leave`. */
  enterRange({ start, end }: Range): number {
    const outerEnd = this.#end;
    this.position = start;
    this.#end = end;
    return outerEnd;
  }

  /** Moves behind the message that was entered. */
  leave(outerEnd: number): void {
    this.position = this.#end;
    this.#end = outerEnd;
  }

  /** Takes the range of this field's bytes without reading them. */
  range(): Range {
    const end = this.fieldEnd();
    const range = { start: this.position, end };
    this.position = end;
    return range;
  }

  /** End of this field's bytes, which begin at `position`; the caller moves there itself. */
  fieldEnd(): number {
    const length = this.length();
    if (length > this.#end - this.position) throw new WireFormatError('a length beyond the end of its message');
    return this.position + length;
  }

  /** Reads an enumeration, or a bool. */
  int32(): number {
    return Number(this.int64()) | 0;
  }

  get isLengthDelimited(): boolean {
    return this.#wireType === LENGTH_DELIMITED;
  }

  /** Declared number of bytes in this field, whether or not they are there. */
  length(): number {
    this.#expect(LENGTH_DELIMITED);
    return this.#uint32();
  }

  /** Reads a signed 64-bit varint: a number, or a bigint if a number does not hold it exactly. */
  int64(): number | bigint {
    this.#expect(VARINT);
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
      const byte = this.#byte();
      const bits = byte & 127;
      if (shift < 32) low |= bits << shift;
      if (shift >= 32) high |= bits << (shift - 32);
      else if (shift === 28) high = bits >>> 4;
      if (byte < 128) return int64Of(high, low);
    }
    throw new WireFormatError('a varint of more than 10 bytes');
  }

  double(): number {
    this.#expect(FIXED64);
    return this.bytes.readDoubleLE(this.#advance(8));
  }

  /** Returns the position of a fixed64. */
  fixed64At(): number {
    this.#expect(FIXED64);
    return this.#advance(8);
  }

  skip(): void {
    if (this.#wireType === VARINT) this.int64();
    else if (this.#wireType === FIXED64) this.#advance(8);
    else if (this.#wireType === LENGTH_DELIMITED) this.position = this.fieldEnd();
    else if (this.#wireType === FIXED32) this.#advance(4);
    // Groups nest without a length, and OTLP has never had any.
    else throw new WireFormatError(`wire type ${this.#wireType}`);
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType) throw new WireFormatError(`field ${this.field} has wire type ${this.#wireType}`);
  }

  #advance(bytes: number): number {
    const start = this.position;
    if (start + bytes > this.#end) throw new WireFormatError('a value beyond the end of its message');
    this.position = start + bytes;
    return start;
  }

  #byte(): number {
    if (this.position >= this.#end) throw new WireFormatError('a varint beyond the end of its message');
    return this.bytes[this.position++] as number;
  }

  /** Reads a varint that fits in 32 bits; encoders that reserve room for a length may pad it with zeros. */
  #uint32(): number {
    let value = 0;
    for (let shift = 0; shift < 7 * MAX_VARINT_BYTES; shift += 7) {
      const byte = this.#byte();
      const bits = byte & 127;
      if (shift < 32) value |= bits << shift;
      if ((shift === 28 && bits > 15) || (shift > 28 && bits !== 0)) throw new WireFormatError('a length over 32 bits');
      if (byte < 128) return value >>> 0;
    }
    throw new WireFormatError('a varint of more than 10 bytes');
  }
}

function int64Of(high: number, low: number): number | bigint {
  const value = high * 4_294_967_296 + (low >>> 0);
  return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low >>> 0);
}
