import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withoutTrailing } from './without-trailing.ts';

describe('withoutTrailing', () => {
  it.each([/[.!?]/, /\s/, /[^\p{L}\p{N}]/u, /[😀a]/u])('leaves out what `+$` would match of %s', (character) => {
    const unit = fc.constantFrom('a', '.', '!', ' ', '\n', '😀', '\ud83d', '\ude00', 'é', '1');
    const atEnd = new RegExp(`(?:${character.source})+$`, character.flags);
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(withoutTrailing(text, character)).toBe(text.replace(atEnd, ''));
      }),
    );
  });
});
