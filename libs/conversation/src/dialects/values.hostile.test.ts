import { expect, it } from '@jest/globals';
import { slowTexts, twoPieceTexts, type Work } from '@clew/testing/hostile';
import { parsePythonLiteral } from './python-literal.ts';
import { parseJson, wellFormed } from './values.ts';

it.each<[string, Work]>([
  ['JSON', parseJson],
  ['a literal of Python', parsePythonLiteral],
  ['text', wellFormed],
])(
  'an attribute of a span is read in time that is linear in its length: %s',
  (_, read) => {
    expect(slowTexts((text) => read(text), twoPieceTexts())).toEqual([]);
  },
  300_000,
);
