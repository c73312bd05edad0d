import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isLocked, lockQuote } from './quote-lock.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  // Repetitive texts, and characters of two code units.
  fc.array(fc.constantFrom('ab', 'abab ', '😀', 'é', ' '), { maxLength: 30 }).map((parts) => parts.join('')),
);
const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

describe('a locked quote', () => {
  it('is what the text has between its offsets, the first that there is, whole characters only', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 60 }), fc.nat({ max: 60 }), (whole, from, length) => {
        const quote = whole.slice(from, from + length);
        const locked = lockQuote(whole, quote);
        if (locked === undefined) {
          const isTooShort = quote.length < 8 && whole.trim() !== quote.trim();
          expect(isTooShort || quote.trim() === '' || !quote.isWellFormed()).toBe(true);
          return;
        }
        expect(whole.slice(locked.start, locked.end)).toBe(quote);
        expect(whole.indexOf(quote)).toBe(locked.start);
        const evidence = { ...place, messageIndex: 3, quote, startChar: locked.start, endChar: locked.end };
        expect(isLocked(evidence, { ...place, index: 3, content: whole })).toBe(true);
        // The evidence is not locked for any other message, range or text.
        expect(isLocked({ ...evidence, messageIndex: 4 }, { ...place, index: 3, content: whole })).toBe(false);
        expect(isLocked({ ...evidence, endChar: locked.end + 1 }, { ...place, index: 3, content: whole })).toBe(false);
        expect(isLocked(evidence, { ...place, index: 3, content: `x${whole}` })).toBe(
          `x${whole}`.slice(locked.start, locked.end) === quote &&
            (quote.length >= 8 || `x${whole}`.trim() === quote.trim()),
        );
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['in another spelling', 'It’s on Friday', "It's on Friday, as I said"],
    ['in another form of Unicode', 'café at the corner', 'cafe\u0301 at the corner'],
    ['with something invisible in it', 'on Friday evening', 'on Fri\u200bday evening'],
    ['half of a character', '\ude00 is on Friday', '😀 is on Friday'],
    ['of a few characters that occur anywhere', 'Friday', 'It is on Friday'],
    ['of more than 2,000 characters', 'x'.repeat(2_001), 'x'.repeat(3_000)],
  ])('%s is none', (_name, quote, whole) => {
    expect(lockQuote(whole, quote)).toBeUndefined();
  });

  it('that is the whole of a short message is one, and one that occurs twice has one place', () => {
    expect(lockQuote('Friday', 'Friday')).toEqual({ start: 0, end: 6 });
    const twice = 'We ship on Friday. We ship on Friday.';
    expect(lockQuote(twice, 'We ship on Friday.')).toEqual({ start: 0, end: 18 });
    expect(lockQuote(twice, 'We ship on Friday.', { start: 5, end: 37 })).toEqual({ start: 19, end: 37 });
    expect(lockQuote(twice, 'We ship on Friday.', { start: 0, end: 17 })).toBeUndefined();
  });
});
