import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TextRange } from './quote-lock.ts';
import { splitSentences } from './split-sentences.ts';
import { isTainted, taintedRanges } from './trust.ts';

/** Short texts with everything that the readers distinguish, on which even backtracking patterns are fast. */
const text = fc
  .array(
    fc.constantFrom(
      ...['Refunds take', '5 days.', 'We', '!', '...', '?', 'e.g.', '"', '\\"', '\\n', '\\', '"k":', '"v"', ')', '”'],
      ...['\n', '\r\n', '\r', '\u2028', '\t', ' ', '#', '##', '#####', 'system:', 'System prompt :', 'developer', '😀'],
      ...['> quoted', 'From: Eve', 'On Mon Jan 5 Bob wrote:', '----Original Message----', '- item', '{', '[', '1. '],
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

function said(content: string) {
  return { role: 'user' as const, content };
}

/** Splits sentences with the former patterns, which restart at each mark and each quote. */
function sentencesByFormerPatterns(content: string): TextRange[] {
  const strings = [...content.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)].flatMap(({ index, 1: value = '', 2: isKey }) =>
    isKey === undefined && !value.includes('\\') ? [{ from: index + 1, value }] : [],
  );
  const pieces = /^\s*[[{]/.test(content) ? strings : [{ from: 0, value: content }];
  return pieces.flatMap(({ from, value }) => {
    const ends = [...value.matchAll(/[.!?]+["”)]*(?=\s+["“(]?[\p{Lu}\p{Nd}])|\n+/gu)]
      .map(({ index, 0: mark }) => ({
        end: index + (mark.startsWith('\n') ? 0 : mark.length),
        next: index + mark.length,
      }))
      .filter(
        ({ end }) =>
          !/\b(?:e\.g|i\.e|etc|vs|no|mr|mrs|ms|dr|st|approx)\.$/i.test(value.slice(Math.max(0, end - 8), end)),
      );
    const starts = [0, ...ends.map(({ next }) => next)];
    return starts.flatMap((start, index) => {
      const sentence = value.slice(start, ends[index]?.end);
      const before = /^(?:\s|[-*•>#"“]|\d{1,2}[.)]\s)+/.exec(sentence)?.[0].length ?? 0;
      const words = sentence.slice(before).replace(/[\s"”]+$/, '');
      const at = from + start + before;
      return words === '' ? [] : [{ start: at, end: at + words.length }];
    });
  });
}

describe('readers whose patterns do not look back', () => {
  it('taint the same lines that begin like a system prompt as a pattern that does', () => {
    const former = /^\s*#{0,4}\s*(system|developer)( prompt| message)?\s*:/m;
    const piece = fc.constantFrom('\n', '\r', '\u2028', ' ', '\t', '#', '###', 'a', 'system', ':', ' prompt');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (pieces) => {
        const content = pieces.join('');
        const isWhole = taintedRanges(said(content)).some(({ start, end }) => start === 0 && end === content.length);
        expect(isWhole).toBe(former.test(content));
      }),
      { numRuns: 5_000 },
    );
  });

  it('tell of a part whether some range of its message is within it', () => {
    fc.assert(
      fc.property(text, fc.nat(300), fc.nat(20), (content, start, length) => {
        const end = start + length;
        const expected = taintedRanges(said(content)).some((range) => range.start < end && start < range.end);
        expect(isTainted(said(content), { start, end })).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('find the same sentences, in prose and in JSON', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('', '[', '{"a":'), (some, beginning) => {
        const content = beginning + some;
        expect(splitSentences(content, { start: 0, end: content.length })).toEqual(sentencesByFormerPatterns(content));
      }),
      { numRuns: 5_000 },
    );
  });
});
