import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Api } from '@clew/sdk';
import { findMatches, isEnough, matchBeside, rangesOf, wordsOfSearch } from './find.ts';

const message = (index: number, members: Partial<Api.ConversationMessage>): Api.ConversationMessage => ({
  ...{ index, role: 'assistant', content: '', atMs: index, spanId: 's', traceId: 't' },
  ...members,
});

const LETTERS = fc.constantFrom('a', 'B', 'b', 'İ', 'é', 'É', '😀', ' ');

describe('words in a text', () => {
  it('are found whatever their case, without overlaps', () => {
    expect(rangesOf('Refund the refund', 'REFUND')).toEqual([
      { start: 0, end: 6 },
      { start: 11, end: 17 },
    ]);
    expect(rangesOf('aaaa', 'aa')).toHaveLength(2);
  });

  it('keep their places where a letter becomes two in lower case', () => {
    const text = 'İİ refund';
    const [range] = rangesOf(text, 'refund');
    expect(text.slice(range?.start, range?.end)).toBe('refund');
  });

  it('are always at the places that are told', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: LETTERS }),
        fc.string({ unit: LETTERS, minLength: 1, maxLength: 3 }),
        (text, words) => {
          for (const { start, end } of rangesOf(text, words)) {
            expect(text.slice(start, end).toLowerCase()).toBe(words.toLowerCase());
          }
        },
      ),
    );
  });

  it('are looked for from two letters on, or from one of a script that needs no more', () => {
    expect(['', 'a', 'é', 'ab', '退'].map(isEnough)).toEqual([false, false, false, true, true]);
  });
});

describe('matches of a transcript', () => {
  const call = { id: 'c', name: 'refund', arguments: { order: 17, note: 'refund' } };
  const messages = [
    message(4, { content: 'A refund?', reasoning: 'They want a refund.' }),
    message(5, { toolCalls: [call] }),
    message(6, { error: { type: 'Refused', message: 'no refund' } }),
  ];

  it('are all that is shown, in its order', () => {
    const { all, isCut } = findMatches(messages, 'refund', []);
    expect(all.map(({ index, field }) => `${index} ${field}`)).toEqual([
      '4 reasoning',
      '4 content',
      '5 tool',
      '5 arguments',
      '6 error',
    ]);
    expect(isCut).toBe(false);
  });

  it('are bounded', () => {
    const many = [message(0, { content: 'ab'.repeat(20_000) })];
    const { all, isCut } = findMatches(many, 'ab', []);
    expect([all.length, isCut]).toEqual([10_000, true]);
  });

  it('are walked around the ends', () => {
    expect([matchBeside(2, 1, 3), matchBeside(0, -1, 3), matchBeside(0, 1, 0)]).toEqual([0, 2, 0]);
  });
});

describe('the words of a search', () => {
  const messages = [message(0, { content: 'A refund, please' }), message(1, { content: 'The refund has left' })];

  it.each([
    ['the refund', 'the refund'],
    ['left refund', 'refund'],
    ['gone', 'gone'],
    ['!', '!'],
  ])('%j are looked for as %j', (sought, words) => {
    expect(wordsOfSearch(messages, sought, [])).toBe(words);
  });
});
