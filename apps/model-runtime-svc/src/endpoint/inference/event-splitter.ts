import { StringDecoder } from 'node:string_decoder';
import { AppError } from '@clew/kernel';

const END_OF_EVENT = /\r\n\r\n|\n\n|\r\r/g;
/** Maximum length of an event; no provider sends a valid one as large as this. */
const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

/** Splits a stream of server-sent events into whole events, each with the empty line that ends it. */
export class EventSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  push(chunk: Buffer): string[] {
    const text = this.#rest + this.#decoder.write(chunk);
    const events: string[] = [];
    let start = 0;
    for (const match of text.matchAll(END_OF_EVENT)) {
      const end = match.index + match[0].length;
      events.push(text.slice(start, end));
      start = end;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MAX_EVENT_LENGTH)
      throw new AppError('PROVIDER_FAILED', 'The provider sent too large an event');
    return events;
  }

  /** Returns the text after the last whole event. */
  end(): string {
    return this.#rest + this.#decoder.end();
  }
}

// Line ends: only these end a line. `$` and `.` would also stop at U+2028, which may be part of a JSON text.
const DATA_LINE = /(?:^|\r\n|\r|\n)data:[ ]?([^\r\n]*)/g;

/** Data of an event; several data lines are joined. */
export function dataOf(event: string): string {
  return [...event.matchAll(DATA_LINE)].map(([, data]) => data).join('\n');
}
