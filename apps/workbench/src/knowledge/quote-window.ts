/** Part of a long text, with the place where it begins. */
export interface TextWindow {
  readonly text: string;
  readonly start: number;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

const REACH = 60;

/**
 * Part of a text around a quote: some characters before and after, cut at a space where there is one near. A text that
 * is hardly longer stays whole.
 */
export function windowAround(text: string, place: { start: number; end: number }, margin: number): TextWindow {
  const from = place.start - margin;
  const to = place.end + margin;
  const start = from <= REACH ? 0 : wordStart(text, from);
  const end = to >= text.length - REACH ? text.length : wordEnd(text, to);
  return { text: text.slice(start, end), start, isCutBefore: start > 0, isCutAfter: end < text.length };
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + REACH).search(/\s/u);
  return space < 0 ? whole(text, at) : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  const space = text.slice(at - REACH, at).search(/\s\S*$/u);
  return space < 0 ? whole(text, at) : at - REACH + space;
}

/** Place that does not stand between the halves of one character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
