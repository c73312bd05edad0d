import { createCipheriv, createDecipheriv } from 'node:crypto';

export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

export interface Sealed {
  ciphertext: Buffer;
  tag: Buffer;
}

/** Encrypts with AES-256-GCM, a nonce of 12 bytes and the full tag. A nonce must never be used twice with a key. */
export function encrypt(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Sealed {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return { ciphertext, tag: cipher.getAuthTag() };
}

/** Decrypts; throws if key, nonce, ciphertext, tag and additional data do not belong together. */
export function decrypt(key: Uint8Array, nonce: Uint8Array, sealed: Sealed, aad: Uint8Array): Buffer {
  // The library would accept any length, and a short tag can be guessed.
  if (sealed.tag.length !== TAG_BYTES || nonce.length !== NONCE_BYTES) throw new RangeError('malformed nonce or tag');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.tag);
  return Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()]);
}
