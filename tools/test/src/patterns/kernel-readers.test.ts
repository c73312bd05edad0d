import { expect, it } from '@jest/globals';
import {
  canonicalJson,
  hasControlCharacter,
  measureJson,
  normalised,
  parseStrictly,
  placeOf,
  readJson,
} from '@clew/kernel';
import { processorTimeMs } from '@clew/testing';
import { slowTexts, superLinearGrowth, twoPieceTexts, type Work } from '@clew/testing/hostile';

it.each<[string, Work]>([
  ['readJson', (text) => unlessRefused(() => readJson(text))],
  ['readJson, as a string', (text) => readJson(JSON.stringify(text))],
  ['readJson, with an escaped name', (text) => readJson(`{"\\u0061":${JSON.stringify(text)}}`)],
  ['parseStrictly', (text) => parseStrictly(text, { maxDepth: 100 })],
  [
    'parseStrictly, of a member that comes twice',
    (text) => parseStrictly(`{"a":1,"a":${JSON.stringify(text)}}`, { maxDepth: 100 }),
  ],
  ['measureJson', measureJson],
  ['canonicalJson', (text) => canonicalJson({ [text.toWellFormed()]: text.toWellFormed() })],
  ['hasControlCharacter', hasControlCharacter],
  ['normalised', (text) => normalised(text, 'NFKC')],
])(
  'takes time that is linear in the length of a text, whatever it holds: %s',
  (_, read) => {
    expect(slowTexts(read, twoPieceTexts())).toEqual([]);
  },
  300_000,
);

it('a text in which a name is escaped takes no more than some times what JSON.parse takes', () => {
  const text = JSON.stringify({ '\n': '\n'.repeat(4_000_000) });
  const leastMs = (read: () => unknown) => Math.min(...[read, read, read].map(timeOf));
  expect(leastMs(() => readJson(text))).toBeLessThan(6 * leastMs(() => JSON.parse(text) as unknown));
});

function timeOf(work: () => unknown): number {
  const startedAtMs = processorTimeMs();
  work();
  return processorTimeMs() - startedAtMs;
}

/** Texts of a length that no run of the piece contains, although they look alike at every position. */
const SEEMING: readonly [name: string, part: (length: number) => string, piece: string][] = [
  ['another character in the middle', (length) => aroundOther('a', 'z', length), 'a'],
  ['another character at the end', (length) => `${'a'.repeat(length)}z`, 'a'],
  ['another character at the beginning', (length) => `z${'a'.repeat(length)}`, 'za'],
  ['two characters in turn', (length) => aroundOther('ab', 'ba', length), 'ab'],
  ['characters beyond Latin', (length) => aroundOther('東', '西', length), '東'],
];

function aroundOther(piece: string, other: string, length: number): string {
  const half = piece.repeat(Math.ceil(length / piece.length / 2));
  return half + other + half;
}

it.each(SEEMING)('a part is sought in time that is linear in its length and the text: %s', (name, partOf, piece) => {
  const seek = (text: string) => placeOf(text, partOf(text.length / 4));
  const text = { name, of: (length: number) => piece.repeat(Math.ceil(length / piece.length)) };
  expect(superLinearGrowth(seek, text, { length: 100_000, floorMs: 1 })).toBeUndefined();
});

function unlessRefused(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
