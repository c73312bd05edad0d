import protobuf from 'protobufjs/minimal.js';

/** Reads protobuf wire format (https://protobuf.dev/programming-guides/encoding). Throws on bytes that are not. */
export type Reader = protobuf.Reader;

const WIRE_LENGTH_DELIMITED = 2;
const WIRE_START_GROUP = 3;
const WIRE_END_GROUP = 4;

/** The bytes are not a message of the expected form. */
export class WireFormatError extends Error {}

/** Calls back with the number of every field of a message; `onField` returns false for a field that it did not read. */
export function readMessage(bytes: Uint8Array, onField: (field: number, reader: Reader, wireType: number) => boolean) {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    const wireType = tag & 7;
    if (field === 0) throw new WireFormatError('field number 0');
    // Groups nest without a length, and OTLP never had any.
    if (wireType === WIRE_START_GROUP || wireType === WIRE_END_GROUP) throw new WireFormatError('a group');
    if (!onField(field, reader, wireType)) reader.skipType(wireType);
  }
}

/** The bytes of a sub-message, without a copy. */
export function readSlice(reader: Reader, wireType: number): Uint8Array {
  if (wireType !== WIRE_LENGTH_DELIMITED) throw new WireFormatError('a sub-message was expected');
  return reader.bytes();
}

export function readText(reader: Reader, wireType: number): string {
  if (wireType !== WIRE_LENGTH_DELIMITED) throw new WireFormatError('a text was expected');
  return reader.string();
}

/** A fixed64 as decimal text: nanoseconds do not fit in a number. */
export function readFixed64(reader: Reader, wireType: number): string {
  if (wireType !== 1) throw new WireFormatError('a fixed64 was expected');
  const low = reader.fixed32();
  const high = reader.fixed32();
  return high === 0 ? String(low) : ((BigInt(high) << 32n) | BigInt(low)).toString();
}

/** An int64 as a number, or as decimal text beyond what a number holds exactly. */
export function readInt64(reader: Reader, wireType: number): number | string {
  if (wireType !== 0) throw new WireFormatError('a varint was expected');
  const value = reader.int64();
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) ? asNumber : String(value);
}

export function readVarint(reader: Reader, wireType: number): number {
  if (wireType !== 0) throw new WireFormatError('a varint was expected');
  return reader.int32();
}
