import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MARK_KINDS, placeOf, segmentsOf, type MarkRange } from './marks.ts';

const text = fc.string({ unit: 'binary', maxLength: 60 });
const ranges = fc.array(
  fc.record({
    start: fc.integer({ min: -2, max: 70 }),
    end: fc.integer({ min: -2, max: 70 }),
    kind: fc.constantFrom(...MARK_KINDS),
    evidenceId: fc.constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 8 },
);

describe('the place of a quote', () => {
  it('is the noted one where the same words stand twice', () => {
    expect(placeOf('no, no', { quote: 'no', startChar: 4, endChar: 6 })).toEqual({ start: 4, end: 6 });
    expect(placeOf('no, no', { quote: 'no' })).toEqual({ start: 0, end: 2 });
  });

  it('is searched where the noted one holds other words', () => {
    expect(placeOf('yes, no', { quote: 'no', startChar: 0, endChar: 2 })).toEqual({ start: 5, end: 7 });
  });

  it('is nowhere in a text without it, and for a quote of nothing', () => {
    expect(placeOf('yes', { quote: 'no', startChar: 0, endChar: 2 })).toBeUndefined();
    expect(placeOf('yes', { quote: '' })).toBeUndefined();
  });

  it('holds exactly the quote', () => {
    fc.assert(
      fc.property(text, fc.nat(60), fc.nat(20), fc.nat(60), (words, from, length, startChar) => {
        const quote = words.slice(from, from + length);
        const place = placeOf(words, { quote, startChar, endChar: startChar + length });
        if (quote === '') expect(place).toBeUndefined();
        else expect(words.slice(place?.start, place?.end)).toBe(quote);
      }),
    );
  });
});

describe('marked segments', () => {
  it('have the gravest kind where marks overlap', () => {
    const marks: MarkRange[] = [
      { start: 0, end: 4, kind: 'evidence', evidenceId: 'e' },
      { start: 2, end: 6, kind: 'suspect', evidenceId: 's' },
    ];
    expect(segmentsOf('abcdefg', marks)).toEqual([
      { text: 'ab', kind: 'evidence', evidenceIds: ['e'], foundAt: undefined },
      { text: 'cd', kind: 'suspect', evidenceIds: ['e', 's'], foundAt: undefined },
      { text: 'ef', kind: 'suspect', evidenceIds: ['s'], foundAt: undefined },
      { text: 'g', kind: undefined, evidenceIds: [], foundAt: undefined },
    ]);
  });

  it('tell found words from marks, also where they overlap', () => {
    const marks: MarkRange[] = [{ start: 1, end: 4, kind: 'evidence', evidenceId: 'e' }];
    const found = [
      { start: 0, end: 2 },
      { start: 5, end: 7 },
    ];
    expect(segmentsOf('abcdefg', marks, found).map(({ text: part, kind, foundAt }) => [part, kind, foundAt])).toEqual([
      ['a', undefined, 0],
      ['b', 'evidence', 0],
      ['cd', 'evidence', undefined],
      ['e', undefined, undefined],
      ['fg', undefined, 5],
    ]);
  });

  it('joined give the text again, and cover every mark exactly', () => {
    fc.assert(
      fc.property(text, ranges, (words, marks) => {
        const segments = segmentsOf(words, marks);
        expect(segments.map((segment) => segment.text).join('')).toBe(words);
        for (const evidenceId of ['a', 'b', 'c']) {
          const covered = new Set<number>();
          for (const { start, end, ...mark } of marks) {
            if (mark.evidenceId !== evidenceId || start < 0 || end > words.length) continue;
            for (let at = start; at < end; at += 1) covered.add(at);
          }
          const marked = new Set<number>();
          let at = 0;
          for (const segment of segments) {
            if (segment.evidenceIds.includes(evidenceId)) {
              for (let unit = 0; unit < segment.text.length; unit += 1) marked.add(at + unit);
            }
            at += segment.text.length;
          }
          expect(marked).toEqual(covered);
        }
      }),
    );
  });
});
