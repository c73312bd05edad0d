import { endOfString } from './measure-json.ts';
import { scalarOf, stringOf, visitJson } from './visit-json.ts';

/**
 * Parses JSON like `JSON.parse`, with the same errors, but correctly for escaped names.
 *
 * V8 12.8 to 14.6 (Node 24 to 26, nodejs/node#63785) confuses names written with an escape: if an object that was
 * parsed before had a name with a backslash at the same place, `{"\n": 1}` comes back as `{"\\": 1}`, without an error.
 * A text from one caller could thus change the content of another caller's text. Texts with an escaped name are rare;
 * only they are parsed a second time, string by string.
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasEscapedName(text) ? readAgain(text) : value;
}

/** Tells whether valid JSON has a member whose name is written with a backslash. */
export function hasEscapedName(text: string): boolean {
  let start = text.indexOf('\\');
  while (start !== -1) {
    const end = endOfString(text, start - 1);
    if (isBeforeColon(text, end + 1)) return true;
    start = text.indexOf('\\', end);
  }
  return false;
}

function isBeforeColon(text: string, index: number): boolean {
  let next = index;
  while (' \t\n\r'.includes(text.charAt(next)) && next < text.length) next += 1;
  return text.charAt(next) === ':';
}

type Container = unknown[] | Record<string, unknown>;

/** @param text Valid JSON. */
function readAgain(text: string): unknown {
  let root: unknown;
  let name = '';
  const open: Container[] = [];
  const put = (value: unknown) => {
    const within = open.at(-1);
    if (within === undefined) root = value;
    else if (Array.isArray(within)) within.push(value);
    else setMember(within, name, value);
  };
  const begin = (container: Container) => {
    put(container);
    open.push(container);
  };
  visitJson(text, {
    beginObject: () => begin({}),
    beginArray: () => begin([]),
    end: () => void open.pop(),
    name: (written) => void (name = stringOf(written)),
    value: (written) => put(scalarOf(written)),
  });
  return root;
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  // In JSON this is a name like any other; an assignment would set the prototype.
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
