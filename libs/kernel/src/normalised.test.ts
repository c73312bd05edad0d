import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalised } from './normalised.ts';

const FORMS = ['NFC', 'NFD', 'NFKC'] as const;

describe('normalised', () => {
  it('is what `normalize` gives, for every text without more than thirty marks in a row', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('e\u0301\u0316', 'ﾊﾞ', 'ﷺ', '각'),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom(...FORMS), (pieces, form) => {
        const text = pieces.join(' ');
        expect(normalised(text, form)).toBe(text.normalize(form));
      }),
    );
  });

  it.each(['\u0301\u0316', '\uff9e\u0301', '\u0f73\u0301'])('takes time that is linear in a run of %j', (marks) => {
    for (const form of FORMS) {
      const startedAtMs = performance.now();
      normalised(`a${marks.repeat(250_000)}`, form);
      // Sorted as one run, they would take a hundred times as long.
      expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    }
  });

  it('is the same however often it is applied', () => {
    const text = `a${'\u0301\u0316'.repeat(100)}`;
    for (const form of FORMS) {
      const once = normalised(text, form);
      expect(normalised(once, form)).toBe(once);
    }
  });
});
