import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { configure } from 'safe-stable-stringify';

const stringify = configure({ deterministic: true, strict: true });
/** What a lone surrogate becomes in JSON text; a backslash before it would be text that only looks like one. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Where objects nest deeper, their order is not looked at: the walk needs the stack. */
const MAX_ORDERED_DEPTH = 64;

/**
 * The canonical JSON text of a value (RFC 8785): the same value always gives the same text. Throws where there is none:
 * for half a character, numbers that are not finite, what refers to itself, and what JSON does not know. `json` is what
 * JSON.stringify gives for the value, from callers that have it already: it is the answer where all is in order.
 */
export function canonicalJson(value: unknown, json?: string): string {
  const text = isInOrder(value, 0) ? (json ?? JSON.stringify(value)) : textOf(value);
  if (text === undefined) throw new TypeError('The value has no JSON form');
  if (text.includes('\\ud') && LONE_SURROGATE.test(text)) throw new TypeError('The text is not well-formed Unicode');
  return text;
}

/** Whether the members of all objects stand in the order of RFC 8785, and nothing is there that JSON.stringify alters. */
function isInOrder(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === MAX_ORDERED_DEPTH) return false;
  if (Array.isArray(value)) return value.every((entry) => isInOrder(entry, depth + 1));
  return hasMembersInOrder(value as Record<string, unknown>, depth);
}

function hasMembersInOrder(object: Record<string, unknown>, depth: number): boolean {
  if (typeof object['toJSON'] === 'function') return false;
  let previous = '';
  for (const name of Object.keys(object)) {
    // As RFC 8785 sorts: by UTF-16 code units.
    if (name < previous) return false;
    previous = name;
    const member = object[name];
    if (member !== undefined && !isInOrder(member, depth + 1)) return false;
  }
  return true;
}

/** The slower library needs no stack, so that a value may nest as deep as it likes. */
function textOf(value: unknown): string | undefined {
  try {
    return stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return canonicalize(value);
    throw error;
  }
}

/** SHA-256 of a text or of bytes, in lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
