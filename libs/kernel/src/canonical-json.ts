import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { configure } from 'safe-stable-stringify';

const stringify = configure({ deterministic: true, strict: true });
/** What a lone surrogate becomes in JSON text; a backslash before it would be text that only looks like one. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * The canonical JSON text of a value (RFC 8785): the same value always gives the same text. Throws where there is none:
 * for half a character, numbers that are not finite, what refers to itself, and what JSON does not know.
 */
export function canonicalJson(value: unknown): string {
  const text = textOf(value);
  if (text === undefined) throw new TypeError('The value has no JSON form');
  if (text.includes('\\ud') && LONE_SURROGATE.test(text)) throw new TypeError('The text is not well-formed Unicode');
  return text;
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
  return createHash('sha256').update(data).digest('hex');
}
