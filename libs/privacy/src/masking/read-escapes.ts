import { allMatches } from '@clew/kernel';
import { searchable } from '../redaction/searchable.ts';

/** Text as it reads, with the place in the text as it was written of each of its characters. */
export interface ReadText {
  readonly text: string;
  /** Returns the place in the written text of a place in the read one. */
  at(index: number): number;
}

/** Escaped printable ASCII, as in `sara\u0040mail.com`, with more backslashes where it is JSON within JSON. */
const ASCII_ESCAPE = /(?<!\\)\\{1,16}u00[2-7][0-9a-f]/gi;

/** Reads the escapes of JSON in a text that is no JSON as a whole, for example because it was cut. */
export function readEscapes(written: string): ReadText {
  const escapes = written.includes('\\') ? [...allMatches(written, ASCII_ESCAPE)] : [];
  if (escapes.length === 0) return { text: searchable(written), at: (index) => index };
  let text = '';
  let from = 0;
  const starts: { read: number; written: number }[] = [{ read: 0, written: 0 }];
  for (const { 0: escape, index } of escapes) {
    text += written.slice(from, index) + String.fromCharCode(Number.parseInt(escape.slice(-2), 16));
    from = index + escape.length;
    starts.push({ read: text.length, written: from });
  }
  text += written.slice(from);
  return { text: searchable(text), at: (index) => placeIn(starts, index) };
}

function placeIn(starts: readonly { read: number; written: number }[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as { read: number }).read <= index) low = middle;
    else high = middle - 1;
  }
  const { read, written } = starts[low] as { read: number; written: number };
  return written + index - read;
}
