import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isLong, unmarked, wordDiff } from './word-diff.ts';

describe('the difference of two texts', () => {
  it('is that of their words', () => {
    expect(wordDiff('The order is cancelled', 'The order was cancelled')).toEqual({
      before: [
        { text: 'The order ', isOwn: false },
        { text: 'is', isOwn: true },
        { text: ' cancelled', isOwn: false },
      ],
      after: [
        { text: 'The order ', isOwn: false },
        { text: 'was', isOwn: true },
        { text: ' cancelled', isOwn: false },
      ],
      isFine: true,
    });
  });

  it('loses nothing of either, and what is the same is the same in both', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'ü', '.', '🙂') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = wordDiff(before, after, 10_000);
        const joined = (side: 'before' | 'after', isShared = false) =>
          diff[side]
            .filter(({ isOwn }) => !isShared || !isOwn)
            .map((part) => part.text)
            .join('');
        expect(joined('before')).toBe(before);
        expect(joined('after')).toBe(after);
        expect(joined('before', true)).toBe(joined('after', true));
      }),
    );
  });

  it('is found beside the page for long texts, which are shown as they are until then', () => {
    expect([isLong('a'.repeat(10_000), 'b'.repeat(10_000)), isLong('a'.repeat(20_001), '')]).toEqual([false, true]);
    const { before, after } = unmarked('a b', 'a c');
    expect([...before, ...after]).toEqual([
      { text: 'a b', isOwn: false },
      { text: 'a c', isOwn: false },
    ]);
  });

  it('is all of them where there is no time to compare', () => {
    const many = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word}${at}`).join(' ');
    expect(wordDiff(many('a'), many('b'), 0)).toMatchObject({ isFine: false });
  });
});
