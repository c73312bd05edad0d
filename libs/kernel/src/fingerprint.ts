import { createHmac } from 'node:crypto';
import { deriveSecret } from './secrets.ts';

/**
 * Tells requests apart without keeping them, as `<which secret>.<HMAC-SHA256 in hex>`: a body may hold a secret that is
 * soon guessed by whoever has its plain hash.
 */
export type Fingerprint = (data: string | Uint8Array) => string;

const MARK_LENGTH = 8;

export function createFingerprint(authSecret: string): Fingerprint {
  const key = deriveSecret(authSecret, 'request-fingerprint/v1');
  const hmac = (data: string | Uint8Array) => createHmac('sha256', key).update(data).digest('hex');
  const mark = hmac('').slice(0, MARK_LENGTH);
  return (data) => `${mark}.${hmac(data)}`;
}

/** Which secret a fingerprint was made with; the first characters of it. */
export function secretOfFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, MARK_LENGTH + 1);
}

/**
 * Whether two fingerprints may be of the same request. Those made with different secrets tell nothing of each other: what
 * was begun before a rotation of AUTH_SECRET must not be refused after it.
 */
export function mayBeSameRequest(left: string, right: string): boolean {
  return left === right || secretOfFingerprint(left) !== secretOfFingerprint(right);
}
