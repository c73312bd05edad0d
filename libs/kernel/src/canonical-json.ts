import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The canonical JSON text of a value (RFC 8785): the same value always gives the same text. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('The value has no JSON form');
  return text;
}

/** SHA-256 of a text or of bytes, in lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
