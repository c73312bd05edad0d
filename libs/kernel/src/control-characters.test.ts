import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasControlCharacter } from './control-characters.ts';

it('finds each control character of ASCII, wherever it stands, and nothing else', () => {
  const character = fc.oneof(fc.integer({ min: 0, max: 0x9f }), fc.integer({ min: 0, max: 0xffff }));
  fc.assert(
    fc.property(fc.array(character), (codes) => {
      const isThere = codes.some((code) => code < 0x20 || code === 0x7f);
      expect(hasControlCharacter(String.fromCharCode(...codes))).toBe(isThere);
    }),
    { numRuns: 1_000 },
  );
});
