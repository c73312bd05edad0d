import { endOfString } from './measure-json.ts';

/** Visitor of valid JSON, called in its order. Strings are passed as written, including their quotes. */
export interface JsonVisitor {
  beginObject(): void;
  beginArray(): void;
  end(): void;
  /** Name of the member whose value comes next. */
  name(written: string): void;
  /** A string, a number, `true`, `false` or `null`. */
  value(written: string): void;
  /** Tells whether the visitor needs no more. */
  isDone?(): boolean;
}

/**
 * Largest code of white space, quotes and commas; of the characters of a number, only the plus sign has a smaller one.
 */
const COMMA = 44;
const PLUS = 43;
const CLOSE_BRACKET = 93;
const CLOSE_BRACE = 125;

/** Visits a text that is known to be valid JSON, in time linear in its length, at any depth. */
export function visitJson(text: string, visitor: JsonVisitor): void {
  const areObjects: boolean[] = [];
  let isNameNext = false;
  for (let index = 0; index < text.length && visitor.isDone?.() !== true; index += 1) {
    switch (text.charAt(index)) {
      case '{':
        visitor.beginObject();
        areObjects.push(true);
        isNameNext = true;
        break;
      case '[':
        visitor.beginArray();
        areObjects.push(false);
        isNameNext = false;
        break;
      case '}':
      case ']':
        visitor.end();
        areObjects.pop();
        break;
      case ',':
        isNameNext = areObjects.at(-1) === true;
        break;
      case '"': {
        const end = endOfString(text, index);
        const written = text.slice(index, end + 1);
        if (isNameNext) visitor.name(written);
        else visitor.value(written);
        isNameNext = false;
        index = end;
        break;
      }
      case ':':
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        break;
      default: {
        const end = endOfLiteral(text, index);
        visitor.value(text.slice(index, end));
        index = end - 1;
      }
    }
  }
}

function endOfLiteral(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code <= COMMA && code !== PLUS) break;
    if (code === CLOSE_BRACKET || code === CLOSE_BRACE) break;
  }
  return end;
}

/** Parses a written string, number, `true`, `false` or `null`. */
export function scalarOf(written: string): string | number | boolean | null {
  switch (written.charAt(0)) {
    case '"':
      return stringOf(written);
    case 't':
      return true;
    case 'f':
      return false;
    case 'n':
      return null;
    default:
      return Number(written);
  }
}

/** Parses a written string. Without a backslash it is the text between its quotes. */
export function stringOf(written: string): string {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
}
