import { hkdfSync } from 'node:crypto';

/** Purpose of a key that is derived from AUTH_SECRET. One label per purpose, so that no two purposes share a key. */
export type SecretLabel =
  | 'kek/v1'
  | 'key-pepper/v1'
  | 'session/v1'
  | 'cursor/v1'
  | 'engine-key/v1'
  | 'secret-mark/v1'
  | 'request-fingerprint/v1';

export const MIN_AUTH_SECRET_BYTES = 32;

/** Derives 32 bytes for one purpose by HKDF-SHA256 (RFC 5869), with the label as `info`. */
export function deriveSecret(authSecret: string, label: SecretLabel): Buffer {
  if (Buffer.byteLength(authSecret) < MIN_AUTH_SECRET_BYTES) {
    throw new RangeError(`AUTH_SECRET must have at least ${MIN_AUTH_SECRET_BYTES} bytes`);
  }
  return Buffer.from(hkdfSync('sha256', authSecret, '', label, 32));
}
