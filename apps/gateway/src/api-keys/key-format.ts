import { createHmac, randomInt, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Key format `clew_<environment>_<30 base62 characters><6 base62 characters of their CRC32>`: a typo is refused before
 * the database is asked, and secret scanners can find a leaked key.
 */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
const KEY_PATTERN = /^clew_[a-z]{2,10}_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Draws a new secret; 30 base62 characters hold 178 bits. */
export function newKeySecret(environment: string): string {
  let random = '';
  for (let index = 0; index < RANDOM_LENGTH; index += 1) random += BASE62.charAt(randomInt(BASE62.length));
  return `clew_${environment}_${random}${checksumOf(random)}`;
}

/** Whether a text could be a key: its format and its checksum are right. */
export function isWellFormedKey(secret: string): boolean {
  const match = KEY_PATTERN.exec(secret);
  return match !== null && checksumOf(match[1] ?? '') === match[2];
}

/** Hash under which a key is stored and found: HMAC-SHA256 with the pepper, in hex. */
export function hashKey(pepper: KeyObject, secret: string): string {
  return createHmac('sha256', pepper).update(secret).digest('hex');
}

/** First characters of a key, shown so that people can recognize it. */
export function startOfKey(secret: string): string {
  const prefixLength = secret.lastIndexOf('_') + 1;
  return secret.slice(0, prefixLength + SHOWN_LENGTH);
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
