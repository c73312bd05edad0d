import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFingerprint, mayBeSameRequest } from './fingerprint.ts';

const of = createFingerprint('a secret of tests, of 32 bytes or more');
const ofOther = createFingerprint('another secret of tests, of 32 bytes or more');

describe('a fingerprint', () => {
  it('is the same for the same bytes alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(of(left)).toBe(of(Buffer.from(left)));
        expect(mayBeSameRequest(of(left), of(right))).toBe(Buffer.from(left).equals(Buffer.from(right)));
      }),
    );
  });

  it('cannot be made without the secret, and tells nothing of one that was made with another', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(of(left)).not.toContain(createHash('sha256').update(left).digest('hex'));
        expect(of(left).slice(9)).not.toBe(ofOther(left).slice(9));
        expect(mayBeSameRequest(of(left), ofOther(right))).toBe(true);
      }),
    );
  });
});
