import { describe, expect, it } from '@jest/globals';
import { decrypt, encrypt } from './aes-gcm.ts';

const ZERO_KEY = Buffer.alloc(32);
const ZERO_NONCE = Buffer.alloc(12);
const EMPTY = Buffer.alloc(0);

describe('AES-256-GCM', () => {
  // Test cases 13 and 14 of the GCM proposal to NIST.
  it.each([
    ['', '', '530f8afbc74536b9a963b4f1c4cb738b'],
    ['00'.repeat(16), 'cea7403d4d606b6e074ec5d3baf39d18', 'd0d1c8a799996bf0265b98b5d48ab919'],
  ])('gives the published answer for the plaintext "%s"', (plaintext, ciphertext, tag) => {
    const sealed = encrypt(ZERO_KEY, ZERO_NONCE, Buffer.from(plaintext, 'hex'), EMPTY);
    expect(sealed.ciphertext.toString('hex')).toBe(ciphertext);
    expect(sealed.tag.toString('hex')).toBe(tag);
    expect(decrypt(ZERO_KEY, ZERO_NONCE, sealed, EMPTY).toString('hex')).toBe(plaintext);
  });

  it('refuses a tag that is a part of the right one, and a nonce of another length', () => {
    const { ciphertext, tag } = encrypt(ZERO_KEY, ZERO_NONCE, Buffer.from('text'), EMPTY);
    for (let length = 0; length < tag.length; length += 1) {
      const sealed = { ciphertext, tag: tag.subarray(0, length) };
      expect(() => decrypt(ZERO_KEY, ZERO_NONCE, sealed, EMPTY)).toThrow(RangeError);
    }
    expect(() => decrypt(ZERO_KEY, Buffer.alloc(16), { ciphertext, tag }, EMPTY)).toThrow(RangeError);
  });
});
