import type { Body } from '../../body/body.ts';
import type { Range } from '../../json/json-writer.ts';
import type { Steps } from '../../steps.ts';
import { WireFormatError, WireReader } from './wire-reader.ts';

/** Maximum bytes of a tag together with the length or value behind it. */
const MAX_HEAD_BYTES = 20;

/** Iterates over the fields of one message of a body without holding their contents. */
export class FieldCursor {
  /** Number of the field that `next` moved to, and the range of its content; the range is empty for a scalar. */
  field = 0;
  content: Range = { start: 0, end: 0 };
  readonly #body: Body;
  readonly #end: number;
  #position: number;

  constructor(body: Body, message: Range) {
    this.#body = body;
    this.#position = message.start;
    this.#end = message.end;
  }

  /** Moves to the next field that is a message (or a text, which looks the same); false at the end. */
  *next(): Steps<boolean> {
    while (this.#position < this.#end) {
      const headEnd = Math.min(this.#position + MAX_HEAD_BYTES, this.#end);
      const wait = this.#body.bring(this.#position, headEnd);
      if (wait !== undefined) yield wait;
      if (this.#readHead(headEnd)) return true;
    }
    return false;
  }

  #readHead(headEnd: number): boolean {
    const { bytes, offset } = this.#body;
    const reader = new WireReader(bytes, this.#position - offset, headEnd - offset);
    reader.next();
    if (!reader.isLengthDelimited) {
      reader.skip();
      this.#position = reader.position + offset;
      return false;
    }
    const length = reader.length();
    const start = reader.position + offset;
    if (length > this.#end - start) throw new WireFormatError('a length beyond the end of its message');
    this.field = reader.field;
    this.content = { start, end: start + length };
    this.#position = start + length;
    return true;
  }
}

/** Range of the last field of a message that has the given number. */
export function* lastField(body: Body, message: Range, field: number): Steps<Range | undefined> {
  let found: Range | undefined;
  const cursor = new FieldCursor(body, message);
  while (yield* cursor.next()) if (cursor.field === field) found = cursor.content;
  return found;
}
