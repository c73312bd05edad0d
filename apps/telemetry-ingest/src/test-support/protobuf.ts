/** Field of a protobuf message: its number with an integer, a fixed64, or bytes. */
export type WireField = [field: number, value: bigint | number | { fixed64: bigint } | string | Uint8Array];

/** Encodes a message field by field, also one that no encoder would write. */
export function message(...fields: readonly WireField[]): Buffer {
  return Buffer.concat(fields.map(encodeField));
}

function encodeField([field, value]: WireField): Buffer {
  if (typeof value === 'number' || typeof value === 'bigint') {
    return Buffer.concat([tag(field, 0), varint(BigInt.asUintN(64, BigInt(value)))]);
  }
  if (typeof value === 'object' && 'fixed64' in value) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value.fixed64);
    return Buffer.concat([tag(field, 1), bytes]);
  }
  const bytes = Buffer.from(value as string);
  return Buffer.concat([tag(field, 2), varint(BigInt(bytes.length)), bytes]);
}

function tag(field: number, wireType: number): Buffer {
  return varint(BigInt(field * 8 + wireType));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

export const TRACE_ID = 'a1'.repeat(16);
export const SPAN_ID = 'b2'.repeat(8);
const START_UNIX_NANO = 1_760_000_000_123_456_789n;

/** Valid span with more fields behind; the last of equal fields counts. */
export function spanMessage(...fields: readonly WireField[]): Buffer {
  return message(
    [1, Buffer.from(TRACE_ID, 'hex')],
    [2, Buffer.from(SPAN_ID, 'hex')],
    [5, 'chat'],
    [7, { fixed64: START_UNIX_NANO }],
    ...fields,
  );
}

/** Request that holds the given spans or log records. */
export function requestOf(...records: readonly Buffer[]): Buffer {
  const scope = message(...records.map((record): WireField => [2, record]));
  return message([1, message([2, scope])]);
}

/** Attribute of a span, with the fields of its AnyValue. */
export function attribute(key: string, ...anyValue: readonly WireField[]): WireField {
  return [9, message([1, key], [2, message(...anyValue)])];
}

/** AnyValue nested `levels` deep in lists, or in lists of keys and values. */
export function nested(levels: number, kind: 'array' | 'keyValueList'): Buffer {
  let value = message([1, 'in the middle']);
  for (let level = 0; level < levels; level += 1) {
    value =
      kind === 'array'
        ? message([5, message([1, value])])
        : message([6, message([1, message([1, 'key'], [2, value])])]);
  }
  return value;
}
