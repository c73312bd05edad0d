import type { Range } from '../../json/json-writer.ts';
import { NO_RANGE, type WireReader } from './wire-reader.ts';

// Field numbers of opentelemetry/proto/common/v1/common.proto.
const KEY_VALUE = { key: 1, value: 2 } as const;
const STRING_VALUE = 1;

export interface KeyValue {
  key: Range;
  /** Range of an AnyValue; a missing one reads as empty. */
  value: Range;
}

/** Reads the KeyValue that the reader has entered. */
export function readKeyValue(reader: WireReader): KeyValue {
  let key = NO_RANGE;
  let value = NO_RANGE;
  while (reader.next()) {
    if (reader.field === KEY_VALUE.key) key = reader.range();
    else if (reader.field === KEY_VALUE.value) value = reader.range();
    else reader.skip();
  }
  return { key, value };
}

/** Text of the last of the given KeyValues with the name; empty if there is none, or if its value is no text. */
export function textAttribute(reader: WireReader, keyValues: readonly Range[], name: string): string {
  let text = '';
  for (const range of keyValues) {
    const outerEnd = reader.enterRange(range);
    const { key, value } = readKeyValue(reader);
    reader.leave(outerEnd);
    if (reader.bytes.toString('utf8', key.start, key.end) === name) text = stringValue(reader, value);
  }
  return text;
}

function stringValue(reader: WireReader, anyValue: Range): string {
  let text = '';
  const outerEnd = reader.enterRange(anyValue);
  while (reader.next()) {
    if (reader.field === STRING_VALUE) {
      const { start, end } = reader.range();
      text = reader.bytes.toString('utf8', start, end);
    } else {
      reader.skip();
    }
  }
  reader.leave(outerEnd);
  return text;
}
