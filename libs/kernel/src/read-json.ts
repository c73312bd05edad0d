import { endOfString } from './measure-json.ts';
import { scalarOf, stringOf, visitJson } from './visit-json.ts';

/**
 * Reads JSON as `JSON.parse` does, and throws what it throws, but is right about escaped names.
 *
 * V8 12.8 to 14.6 (Node 24 to 26, nodejs/node#63785) takes a name written with an escape for another one: where an
 * object that was read before had a name with a backslash at the same place, `{"\n": 1}` comes back as `{"\\": 1}`,
 * without a word. So a text from one caller could change what another caller's text says. Texts with an escaped name are
 * rare; they alone are read once more, string by string.
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasEscapedName(text) ? readAgain(text) : value;
}

/** Whether valid JSON has a member whose name is written with a backslash. */
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

/** @param text that is known to be valid JSON. */
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
  // It is a name like others in JSON: an assignment would set the prototype.
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
