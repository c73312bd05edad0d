import { expect, it } from '@jest/globals';
import { canonicalJson, hasControlCharacter, measureJson, normalised, parseStrictly, readJson } from '@clew/kernel';
import { slowTexts, twoPieceTexts, type Work } from '@clew/testing/hostile';

it.each<[string, Work]>([
  ['readJson', (text) => unlessRefused(() => readJson(text))],
  ['readJson, as a string', (text) => readJson(JSON.stringify(text))],
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

function unlessRefused(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
