import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatPhc, parsePhc } from './phc.ts';

const bytes = (minLength: number) => fc.uint8Array({ minLength, maxLength: 64 }).map((array) => Buffer.from(array));
const hashes = fc.record({
  memory: fc.integer({ min: 32, max: 262_144 }),
  passes: fc.integer({ min: 1, max: 10 }),
  parallelism: fc.integer({ min: 1, max: 4 }),
  salt: bytes(8),
  tag: bytes(16),
});

describe('a PHC string', () => {
  it('gives back what was written', () => {
    fc.assert(
      fc.property(hashes, (hash) => expect(parsePhc(formatPhc(hash))).toEqual(hash)),
      { numRuns: 200 },
    );
  });

  it.each([
    '',
    'password',
    '$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=16$m=19456,t=2,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=999999,t=2,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=19456,t=99,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=19456,t=0,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=19456,t=2,p=9$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ])('that is damaged, or would cost too much, is none: %s', (text) => {
    expect(parsePhc(text)).toBeUndefined();
  });

  it('is read or refused, whatever the text', () => {
    const piece = fc.constantFrom('$', 'argon2id', 'v=19', 'm=19456,t=2,p=1', 'AAAAAAAAAAAAAAAAAAAAAAAA', ',', '=');
    fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => void parsePhc(pieces.join(''))));
    fc.assert(fc.property(fc.string(), (text) => void parsePhc(text)));
  });
});
