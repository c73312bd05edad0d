/** Structure of a JSON text, measured without parsing it. */
export interface JsonMeasure {
  depth: number;
  /** Number of values, nested ones included; slightly overestimated. */
  valueCount: number;
  /** Number of members of objects, repeated ones included. */
  memberCount: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Measures the cost of parsing a text: tiny values take many times their size in memory. */
export function measureJson(text: string): JsonMeasure {
  let depth = 0;
  let maxDepth = 0;
  let valueCount = 1;
  let memberCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case COMMA:
        valueCount += 1;
        break;
      case COLON:
        memberCount += 1;
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        valueCount += 1;
        depth += 1;
        if (depth > maxDepth) maxDepth = depth;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
    }
  }
  return { depth: maxDepth, valueCount, memberCount };
}

/** Returns the index of the quote that ends the string that begins at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // After a backslash, characters are examined one by one: this is faster if every quote is escaped.
  let index = text.indexOf('\\', start + 1);
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}
