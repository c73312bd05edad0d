/** How a JSON text is built, found without parsing it. */
export interface JsonMeasure {
  depth: number;
  /** Of values, nested ones included; a little more than there are. */
  valueCount: number;
  /** Of objects, repeated ones included. */
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

/** What parsing a text would cost: tiny values take many times their size in memory. */
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

/** The index of the quote that ends the string that begins at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // From a backslash on one character after another is looked at: where each quote is escaped, that is sooner.
  let index = text.indexOf('\\', start + 1);
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}
