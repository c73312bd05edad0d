import { describe, expect, it } from '@jest/globals';
import { superLinearGrowth } from '@clew/testing/hostile';
import { conversation, user } from '../test-support/conversation.ts';
import { knownWords } from './known-words.ts';

function wordsOf(...texts: readonly string[]) {
  return knownWords(conversation(texts.map((text) => user(text))).messages, () => true);
}

describe('the words of a conversation', () => {
  it('are known from the place on where they stand, as they are, apart or together', () => {
    const words = wordsOf('The order AB-12 34 is late', 'It cost 1,200.50');
    for (const value of ['AB-12 34', 'ab1234', 'late']) {
      expect([words.has(value, 0), words.has(value, 1)]).toEqual([false, true]);
    }
    expect([words.has('1200.5', 1), words.has('1200.5', 2)]).toEqual([false, true]);
    expect(words.has('AB-99', 2)).toBe(false);
  });

  it.each(['a', 'ab '])('are sought in time that is linear in text and value: runs of %j', (piece) => {
    const seek = (text: string) => {
      const half = text.slice(0, text.length / 4);
      return wordsOf(text).has(`${half}z${half}`, 1);
    };
    const text = { name: piece, of: (length: number) => piece.repeat(length / piece.length) };
    expect(superLinearGrowth(seek, text, { length: 40_000, floorMs: 1 })).toBeUndefined();
  });

  it('are sought in so many characters and no more: then nobody can tell that a value is new', () => {
    const words = wordsOf(...Array.from({ length: 10 }, () => 'ab cd '.repeat(33_000)));
    const told = Array.from({ length: 1_000 }, (_, index) => words.has(`abcdx${index}`, 10));
    expect([told.at(0), told.at(100), told.at(-1)]).toEqual([false, false, true]);
  });
});
