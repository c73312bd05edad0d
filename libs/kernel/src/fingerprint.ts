import { createHmac } from 'node:crypto';
import { deriveSecret } from './secrets.ts';

/**
 * Fingerprint that distinguishes requests without storing them: `<mark of the secret>.<HMAC-SHA256 in hex>`. A plain
 * hash would not do, because a short secret in a body could be guessed from it.
 */
export type Fingerprint = (data: string | Uint8Array) => string;

const MARK_LENGTH = 8;

export function createFingerprint(authSecret: string): Fingerprint {
  const key = deriveSecret(authSecret, 'request-fingerprint/v1');
  const hmac = (data: string | Uint8Array) => createHmac('sha256', key).update(data).digest('hex');
  const mark = hmac('').slice(0, MARK_LENGTH);
  return (data) => `${mark}.${hmac(data)}`;
}

/** Returns the part of a fingerprint that identifies its secret: the first characters. */
export function secretOfFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, MARK_LENGTH + 1);
}

/**
 * Tells whether two fingerprints may belong to the same request. Fingerprints made with different secrets cannot be
 * compared: a request that began before a rotation of AUTH_SECRET must not be rejected after it.
 */
export function mayBeSameRequest(left: string, right: string): boolean {
  return left === right || secretOfFingerprint(left) !== secretOfFingerprint(right);
}
