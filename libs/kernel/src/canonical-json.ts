import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { configure } from 'safe-stable-stringify';

const stringify = configure({ deterministic: true, strict: true });
/** JSON text of a lone surrogate; after another backslash it is plain text that only looks like one. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Nesting depth up to which the order of members is checked: the check needs the stack. */
const MAX_ORDERED_DEPTH = 64;

/**
 * Returns the canonical JSON text of a value (RFC 8785): the same value always gives the same text. Throws if there is
 * none: for lone surrogates, non-finite numbers, circular references, and values that JSON does not support. `json` is
 * the result of JSON.stringify for the value, from callers that have it; it is returned if it is canonical already.
 */
export function canonicalJson(value: unknown, json?: string): string {
  const text = isInOrder(value, 0) ? (json ?? JSON.stringify(value)) : textOf(value);
  if (text === undefined) throw new TypeError('The value has no JSON form');
  if (text.includes('\\ud') && LONE_SURROGATE.test(text)) throw new TypeError('The text is not well-formed Unicode');
  return text;
}

/** Tells whether all members are in the order of RFC 8785, and nothing is present that JSON.stringify would alter. */
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
    // RFC 8785 sorts by UTF-16 code units.
    if (name < previous) return false;
    previous = name;
    const member = object[name];
    if (member !== undefined && !isInOrder(member, depth + 1)) return false;
  }
  return true;
}

/** Serializes a value of any depth: the slower library needs no stack. */
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
