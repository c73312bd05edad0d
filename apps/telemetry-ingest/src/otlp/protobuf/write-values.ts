import { token, type JsonWriter, type Range } from '../../json/json-writer.ts';
import { MAX_ATTRIBUTE_DEPTH, MAX_RECORD_VALUES, RecordRefused } from '../../records/limits.ts';
import { readKeyValue } from './key-value.ts';
import type { WireReader } from './wire-reader.ts';

// Field numbers of opentelemetry/proto/common/v1/common.proto.
const ANY_VALUE = { string: 1, bool: 2, int: 3, double: 4, array: 5, keyValueList: 6, bytes: 7 } as const;
/** Field number of the values in ArrayValue and KeyValueList. */
const VALUES = 1;

const NULL = token('null');
const TRUE = token('true');
const FALSE = token('false');
const COMMA = token(',');
const COLON = token(':');
const OPEN_ARRAY = token('[');
const CLOSE_ARRAY = token(']');
const OPEN_OBJECT = token('{');
const CLOSE_OBJECT = token('}');

/** Writes the attribute values of one record as JSON, and counts them, since a record has a limit. */
export class ValueWriter {
  readonly #reader: WireReader;
  readonly #out: JsonWriter;
  #valueCount = 0;

  constructor(reader: WireReader, out: JsonWriter) {
    this.#reader = reader;
    this.#out = out;
  }

  /** Writes a JSON object of the given KeyValues; a reader takes the last of equal keys. */
  attributes(keyValues: readonly Range[]): void {
    this.#out.raw(OPEN_OBJECT);
    let needsComma = false;
    for (const keyValue of keyValues) {
      if (needsComma) this.#out.raw(COMMA);
      needsComma = true;
      const outerEnd = this.#reader.enterRange(keyValue);
      this.keyValue();
      this.#reader.leave(outerEnd);
    }
    this.#out.raw(CLOSE_OBJECT);
  }

  /** Writes the AnyValue that the reader has entered. */
  anyValue(depth = 0): void {
    if (depth > MAX_ATTRIBUTE_DEPTH) {
      throw new RecordRefused(`an attribute nests deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
    }
    this.#valueCount += 1;
    if (this.#valueCount > MAX_RECORD_VALUES) throw new RecordRefused(`more than ${MAX_RECORD_VALUES} values`);
    const mark = this.#out.length;
    while (this.#reader.next()) {
      if (this.#reader.field > ANY_VALUE.bytes) {
        this.#reader.skip();
      } else {
        // The last of several alternatives wins, as in every reading of a oneof.
        this.#out.rewind(mark);
        this.#alternative(depth);
      }
    }
    if (this.#out.length === mark) this.#out.raw(NULL);
  }

  #alternative(depth: number): void {
    const reader = this.#reader;
    switch (reader.field) {
      case ANY_VALUE.string:
        this.#string();
        break;
      case ANY_VALUE.bool:
        this.#out.raw(reader.int64() === 0 ? FALSE : TRUE);
        break;
      case ANY_VALUE.int:
        this.#integer(reader.int64());
        break;
      case ANY_VALUE.double:
        this.#out.json(doubleAsJson(reader.double()));
        break;
      case ANY_VALUE.array:
        this.#array(depth + 1);
        break;
      case ANY_VALUE.keyValueList:
        this.#keyValueList(depth + 1);
        break;
      default:
        this.#base64();
    }
  }

  #array(depth: number): void {
    const outerEnd = this.#reader.enter();
    this.#out.raw(OPEN_ARRAY);
    let needsComma = false;
    while (this.#nextValue()) {
      if (needsComma) this.#out.raw(COMMA);
      needsComma = true;
      const itemEnd = this.#reader.enter();
      this.anyValue(depth);
      this.#reader.leave(itemEnd);
    }
    this.#out.raw(CLOSE_ARRAY);
    this.#reader.leave(outerEnd);
  }

  #keyValueList(depth: number): void {
    const outerEnd = this.#reader.enter();
    this.#out.raw(OPEN_OBJECT);
    let needsComma = false;
    while (this.#nextValue()) {
      if (needsComma) this.#out.raw(COMMA);
      needsComma = true;
      const pairEnd = this.#reader.enter();
      this.keyValue(depth);
      this.#reader.leave(pairEnd);
    }
    this.#out.raw(CLOSE_OBJECT);
    this.#reader.leave(outerEnd);
  }

  #nextValue(): boolean {
    while (this.#reader.next()) {
      if (this.#reader.field === VALUES) return true;
      this.#reader.skip();
    }
    return false;
  }

  /** Writes the KeyValue that the reader has entered, as a member of an object. */
  keyValue(depth = 0): void {
    const reader = this.#reader;
    const { key, value } = readKeyValue(reader);
    this.#out.string(reader.bytes, key);
    this.#out.raw(COLON);
    const outerEnd = reader.enterRange(value);
    this.anyValue(depth);
    reader.leave(outerEnd);
  }

  #string(): void {
    this.#out.string(this.#reader.bytes, this.#reader.range());
  }

  #base64(): void {
    const { start, end } = this.#reader.range();
    this.#out.json(`"${this.#reader.bytes.toString('base64', start, end)}"`);
  }

  /** Writes an integer; beyond what a number holds exactly, it is text (contracts, Attributes). */
  #integer(value: number | bigint): void {
    if (typeof value === 'number') this.#out.integer(value);
    else this.#out.json(`"${value}"`);
  }
}

/** JSON of a double; JSON has no NaN and no infinities, so they are kept as text. */
function doubleAsJson(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
}
