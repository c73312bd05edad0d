import { MAX_ATTRIBUTE_DEPTH } from '../../records/limits.ts';
import type { WireReader } from './wire-reader.ts';

type FieldShape = 'bytes' | 'varint' | 'fixed64' | MessageShape;

/** Fields of a message that are read, by number. */
export interface MessageShape {
  readonly [field: number]: FieldShape;
}

// Shapes of opentelemetry/proto/common/v1/common.proto; AnyValue, ArrayValue and KeyValueList contain each other.
const ANY_VALUE: Record<number, FieldShape> = { 1: 'bytes', 2: 'varint', 3: 'varint', 4: 'fixed64', 7: 'bytes' };
const KEY_VALUE: MessageShape = { 1: 'bytes', 2: ANY_VALUE };
ANY_VALUE[5] = { 1: ANY_VALUE };
ANY_VALUE[6] = { 1: KEY_VALUE };

export const RESOURCE: MessageShape = { 1: KEY_VALUE };
export const SCOPE: MessageShape = { 1: 'bytes' };

/** Shape of Span in opentelemetry/proto/trace/v1/trace.proto. */
export const SPAN: MessageShape = {
  1: 'bytes',
  2: 'bytes',
  4: 'bytes',
  5: 'bytes',
  6: 'varint',
  7: 'fixed64',
  8: 'fixed64',
  9: KEY_VALUE,
  11: { 1: 'fixed64', 2: 'bytes', 3: KEY_VALUE },
  15: { 2: 'bytes', 3: 'varint' },
};

/** Shape of LogRecord in opentelemetry/proto/logs/v1/logs.proto. */
export const LOG_RECORD: MessageShape = {
  1: 'fixed64',
  5: ANY_VALUE,
  6: KEY_VALUE,
  9: 'bytes',
  10: 'bytes',
  11: 'fixed64',
  12: 'bytes',
};

/**
 * Limit of nested messages: one level of attributes takes at most three. Anything deeper is refused without being read.
 */
const MAX_MESSAGE_DEPTH = 3 * (MAX_ATTRIBUTE_DEPTH + 2);

/** Reads the entered message to its end; throws WireFormatError if reading its fields would. */
export function checkMessage(reader: WireReader, shape: MessageShape, depth = 0): void {
  while (reader.next()) {
    const expected = shape[reader.field];
    if (expected === undefined) {
      reader.skip();
    } else if (expected === 'bytes') {
      reader.position = reader.fieldEnd();
    } else if (expected === 'varint') {
      reader.int64();
    } else if (expected === 'fixed64') {
      reader.fixed64At();
    } else {
      const outerEnd = reader.enter();
      if (depth < MAX_MESSAGE_DEPTH) checkMessage(reader, expected, depth + 1);
      reader.leave(outerEnd);
    }
  }
}
