import { endOfString, readJson } from '@clew/kernel';

/** Location of a member in the JSON text of an object: its value is `text.slice(start, end)`. */
export interface JsonMember {
  name: string;
  start: number;
  end: number;
}

const WHITE_SPACE = /[ \t\n\r]/;

/**
 * Lists the members of the object in a valid JSON text, including repeated ones. This allows replacing a single value
 * in the text; everything else stays as the caller wrote it, including numbers that no JavaScript number can hold.
 */
export function topLevelMembers(text: string): JsonMember[] {
  const members: JsonMember[] = [];
  let position = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[position] === '"') {
    const nameEnd = endOfString(text, position) + 1;
    const name = readJson(text.slice(position, nameEnd)) as string;
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    members.push({ name, start, end });
    // Moves past the comma, or the brace that ends the object.
    position = skipSpace(text, skipSpace(text, end) + 1);
  }
  return members;
}

/** Replaces the values of some members with other JSON text. */
export function replaceMembers(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = '';
  let copied = 0;
  for (const { name, start, end } of topLevelMembers(text)) {
    const replacement = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
    if (replacement === undefined) continue;
    result += text.slice(copied, start) + replacement;
    copied = end;
  }
  return result + text.slice(copied);
}

/** Inserts a member before the others of the object, which must not be empty. */
export function prependMember(text: string, name: string, value: string): string {
  const brace = text.indexOf('{') + 1;
  return `${text.slice(0, brace)}${JSON.stringify(name)}:${value},${text.slice(brace)}`;
}

function skipSpace(text: string, from: number): number {
  let position = from;
  while (WHITE_SPACE.test(text.charAt(position))) position += 1;
  return position;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let position = start; position < text.length; position += 1) {
    const character = text[position];
    if (character === '"') position = endOfString(text, position);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      // The brace belongs to the outer object if the value is a number or a word.
      if (depth === 0) return position;
      depth -= 1;
      if (depth === 0) return position + 1;
    } else if (depth === 0 && (character === ',' || WHITE_SPACE.test(character ?? ''))) return position;
  }
  return text.length;
}
