import { describe, expect, it } from '@jest/globals';
import { deriveSecret, type SecretLabel } from './secrets.ts';

const SECRET = 'an auth secret of at least 32 bytes';
const LABELS: SecretLabel[] = ['kek/v1', 'key-pepper/v1', 'session/v1', 'cursor/v1'];

describe('deriveSecret', () => {
  it('makes 32 bytes, always the same for one secret and label', () => {
    expect(deriveSecret(SECRET, 'kek/v1')).toHaveLength(32);
    expect(deriveSecret(SECRET, 'kek/v1')).toEqual(deriveSecret(SECRET, 'kek/v1'));
  });

  it('gives every label and every secret another key', () => {
    const made = LABELS.flatMap((label) => [deriveSecret(SECRET, label), deriveSecret(`${SECRET}!`, label)]);
    expect(new Set(made.map((key) => key.toString('hex'))).size).toBe(made.length);
  });

  it('counts bytes, not characters, and refuses fewer than 32', () => {
    expect(() => deriveSecret('x'.repeat(31), 'kek/v1')).toThrow(RangeError);
    expect(deriveSecret('é'.repeat(16), 'kek/v1')).toHaveLength(32);
  });

  it('makes today what it made before: stored hashes depend on it', () => {
    expect(deriveSecret(SECRET, 'key-pepper/v1').toString('hex')).toBe(
      '817a8fc3bc1bc2fcdf3da36cd80239e76d6edb56b7d618fe9527f159dc51d435',
    );
  });
});
