import { expect, it } from '@jest/globals';
import { slowTexts, twoPieceTexts, type Work } from '@clew/testing/hostile';
import { searchTermsOf } from '../items/search-terms.ts';
import { likenessOfWords } from './item-merger.ts';
import { statementOf } from './statement.ts';

it.each<[string, Work]>([
  ['what it states', statementOf],
  ['what it is like', likenessOfWords],
  ['the words by which it is found', (text) => searchTermsOf(text)],
])(
  'the content of an item is read in time that is linear in its length: %s',
  (_, read) => {
    expect(slowTexts(read, twoPieceTexts())).toEqual([]);
  },
  300_000,
);
