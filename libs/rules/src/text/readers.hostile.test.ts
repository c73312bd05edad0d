import { expect, it } from '@jest/globals';
import { slowTexts, twoPieceTexts, type Work } from '@clew/testing/hostile';
import { scanText } from '../values/scan-text.ts';
import { structuredText } from '../rules/malformed-output/structured.ts';
import { endsMidSentence, isCutJson } from '../rules/truncated-output/unfinished-text.ts';
import { languageOf } from '../vocabulary/language.ts';
import { endQuoteOf, quoteOf } from './quote.ts';
import { maskSecrets } from '@clew/privacy';

it.each<[string, Work]>([
  ['what can be repeated', scanText],
  ['secrets', maskSecrets],
  ['its language', languageOf],
  ['quotes', (text) => [quoteOf(text), endQuoteOf(text)]],
  ['JSON in it', structuredText],
  ['where it breaks off', (text) => [isCutJson(text), endsMidSentence(text)]],
])(
  'a text is read in time that is linear in its length: %s',
  (_, read) => {
    expect(slowTexts(read, twoPieceTexts())).toEqual([]);
  },
  300_000,
);
