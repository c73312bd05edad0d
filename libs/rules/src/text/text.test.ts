import { describe, expect, it } from '@jest/globals';
import { slowTexts, twoPieceTexts } from '@clew/testing/hostile';
import fc from 'fast-check';
import { compileKeywords, compilePhrases, findPhrase } from './phrases.ts';
import { endQuoteOf, MAX_QUOTE_LENGTH, placedQuoteOf, quoteOf, shorten } from './quote.ts';
import { markOf, normaliseWord, sentencesOf, tokensOf } from './sentences.ts';
import { shinglesOf, similarity } from './shingles.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2000 }),
  fc
    .array(fc.constantFrom('a', ' ', '😀', '.', '? ', '\n', "it's ", '\ud800', '\udc00'), { maxLength: 1000 })
    .map((list) => list.join('')),
);

describe('sentencesOf', () => {
  it('reads the same words from plain text as the general pattern does', () => {
    const plain = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 200 }),
      fc
        .array(fc.constantFrom('a', 'B7', "'", "''", ' ', '-', '_', "it's"), { maxLength: 60 })
        .map((list) => list.join('')),
    );
    fc.assert(
      fc.property(plain, fc.nat(1000), (text, offset) => {
        const words = [...text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu)];
        expect(tokensOf(text, offset)).toEqual(
          words.map(({ 0: word, index }) => ({
            text: normaliseWord(word),
            mark: markOf(normaliseWord(word)),
            start: offset + index,
            end: offset + index + word.length,
          })),
        );
      }),
    );
  });

  it('splits at sentence ends and line breaks, and knows questions', () => {
    const content = 'Hi there! It costs 12.50 EUR. Is that ok?\nYes';
    const read = sentencesOf(content).map((sentence) => [
      content.slice(sentence.start, sentence.end),
      sentence.isQuestion,
    ]);
    expect(read).toEqual([
      ['Hi there!', false],
      ['It costs 12.50 EUR.', false],
      ['Is that ok?', true],
      ['Yes', false],
    ]);
  });

  it('gives each word with its place in the content', () => {
    fc.assert(
      fc.property(anyText, (content) => {
        for (const sentence of sentencesOf(content)) {
          expect(sentence.tokens.length).toBeGreaterThan(0);
          for (const token of sentence.tokens)
            expect(normaliseWord(content.slice(token.start, token.end))).toBe(token.text);
        }
      }),
    );
  });

  it('reads both ends of a long message', () => {
    const content = `First. ${'x '.repeat(20_000)}Last one?`;
    const sentences = sentencesOf(content);
    expect(sentences[0]?.tokens[0]?.text).toBe('first');
    const last = sentences.at(-1);
    expect(last?.isQuestion).toBe(true);
    expect(content.slice(last?.start, last?.end).endsWith('Last one?')).toBe(true);
  });

  it('compares words without case, apostrophes and accents', () => {
    expect(normaliseWord('That’s')).toBe(normaliseWord('THATS'));
    expect(normaliseWord('geändert')).toBe(normaliseWord('geandert'));
  });
});

describe('phrases', () => {
  const [sentence] = sentencesOf("No, I really said it's Gatwick and not Heathrow");
  const matched = (pattern: string): boolean =>
    sentence !== undefined && findPhrase(compilePhrases([pattern]), sentence) !== undefined;

  it.each<readonly [string, boolean]>([
    ['really said', true],
    ['reall', false],
    ['said its', true],
    ['(said|wrote) it’s', true],
    ['i (never|) said', false],
    ['i (never|really|) said', true],
    ['i said', false],
    ['i … not', true],
    ['no … not', false],
    ['said … not', true],
    ['said … i', false],
    ['said … its', true],
  ])('%s', (pattern, isFound) => {
    expect(matched(pattern)).toBe(isFound);
  });

  it('are compiled at the first search, and once', () => {
    let compilations = 0;
    const patterns = { flatMap: () => ((compilations += 1), ['i really']) } as unknown as string[];
    const phrases = compilePhrases(patterns);
    expect(compilations).toBe(0);
    const find = () => sentence && findPhrase(phrases, sentence)?.tokenIndex;
    expect([find(), find(), compilations]).toEqual([1, 1, 1]);
  });

  it('a keyword is literal: brackets and bars in it mean nothing', () => {
    const [text] = sentencesOf('The code was (a|b) today');
    expect(text && findPhrase(compileKeywords(['(A|B)']), text)).toMatchObject({ tokenIndex: 3 });
    expect(text && findPhrase(compileKeywords(['(x|b)', '', '  ', '…']), text)).toBeUndefined();
  });

  it('takes time that is linear in the length of a text, whatever text and vocabulary hold', () => {
    const phrases = compilePhrases(['a … a … a … b', 'no … no', 'i said … not']);
    const find = (text: string) => sentencesOf(text).map((each) => findPhrase(phrases, each));
    expect(slowTexts(find, twoPieceTexts())).toEqual([]);
  }, 300_000);
});

describe('quotes', () => {
  it('are exact, bounded, not blank, and well formed where the content is', () => {
    fc.assert(
      fc.property(anyText, fc.nat(2500), fc.nat(2500), (content, start, length) => {
        const ranges = [placedQuoteOf(content), placedQuoteOf(content, start, start + length), endQuoteOf(content)];
        for (const placed of ranges) {
          if (placed === undefined) continue;
          const { quote, startChar, endChar } = placed;
          expect(content.slice(startChar, endChar)).toBe(quote);
          expect(quote.trim()).toBe(quote);
          expect(quote.length).toBeGreaterThan(0);
          expect(quote.length).toBeLessThanOrEqual(MAX_QUOTE_LENGTH);
          if (content.isWellFormed()) expect(quote.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('an empty or blank text has none', () => {
    expect(quoteOf('')).toBeUndefined();
    expect(quoteOf(' \n ')).toBeUndefined();
  });

  it('shortened texts are one line of at most the given length', () => {
    expect(shorten('a\n b', 10)).toBe('a b');
    expect(shorten('abcdef', 4)).toBe('abc…');
  });
});

describe('similarity', () => {
  it('is 1 for the same words, 0 for none shared or none at all, and in between for some', () => {
    const of = (text: string): ReadonlySet<string> => shinglesOf(text === '' ? [] : text.split(' '));
    expect(similarity(of('a b c'), of('a b c'))).toBe(1);
    expect(similarity(of('a b'), of('c d'))).toBe(0);
    expect(similarity(of(''), of(''))).toBe(0);
    expect(similarity(of('a b c'), of('a b d'))).toBeCloseTo(3 / 7);
  });
});
