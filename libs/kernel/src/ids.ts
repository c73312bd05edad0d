import { createHash } from 'node:crypto';
import { createUlidFactory } from './ulid.ts';

/** Prefixes of random ids (a ULID follows the prefix, so ids sort by creation time). */
export const RANDOM_ID_PREFIXES = [
  'ws',
  'prj',
  'usr',
  'ses',
  'inv',
  'key',
  'run',
  'req',
  'evt',
  'scr',
  'aud',
  'imp',
  'dst',
  'ex',
  'con',
  'conv',
  'act',
  'wi',
  'exp',
  'rbfill',
  'goal',
  'kitm',
  'kbfill',
  'note',
  'whk',
] as const;
/** Prefixes of ids that are derived from the identity of the thing, so that a replay gives the same id. */
export const DERIVED_ID_PREFIXES = [
  'fnd',
  'cesr',
  'drv',
  'run',
  'occ',
  'anl',
  'adj',
  'vrd',
  'evt',
  'ex',
  'dsv',
  'exp',
  'prm',
  'rbfill',
  'kbfill',
  'kitm',
  'krd',
  'kcm',
  'rvw',
  'ers',
  'pers',
  'cdec',
  'xps',
  'walk',
  'dlv',
] as const;

export type RandomIdPrefix = (typeof RANDOM_ID_PREFIXES)[number];
export type DerivedIdPrefix = (typeof DERIVED_ID_PREFIXES)[number];

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_BODY_LENGTH = 26;
const nextUlid = createUlidFactory();

/** Makes a new id: `<prefix>_` and 26 characters of a ULID; it sorts after all that this process made before. */
export function newId(prefix: RandomIdPrefix): string {
  return `${prefix}_${nextUlid()}`;
}

/**
 * Derives an id from parts, always the same: `<prefix>_` and 26 Crockford base32 characters (130 bits) of the SHA-256
 * of the parts. Parts are length-prefixed, so `('a', 'bc')` and `('ab', 'c')` differ.
 */
export function derivedId(prefix: DerivedIdPrefix, ...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return `${prefix}_${base32(hash.digest())}`;
}

function base32(bytes: Buffer): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < ID_BODY_LENGTH) {
      bits -= 5;
      text += CROCKFORD.charAt((buffer >> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/** Pattern for an id with one of the prefixes, for schemas. */
export function idPattern(...prefixes: readonly string[]): RegExp {
  return new RegExp(`^(?:${prefixes.join('|')})_[0-9A-HJKMNP-TV-Z]{${ID_BODY_LENGTH}}$`);
}
