import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeFormula, unescapeFormula } from './csv-formula.ts';

const BEGINS_FORMULA = /^["\s]*[=+\-@＝＋－＠]/;
/** Texts made mostly of the characters that matter. */
const texts = fc.string({ unit: fc.constantFrom(...`=+-@＝＋－＠;'" \t\r\nax,`), maxLength: 12 });

describe('an escaped text', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ['\n=1', "'\n=1"],
    ['\r\n＠x', "'\r\n＠x"],
    [' =1', "' =1"],
    ['\u00a0\u3000\v-1', "'\u00a0\u3000\v-1"],
    ['"@x"', `'"@x"`],
    ['a;=1', "a;'=1"],
    ['a;＋1;b; -2', "a;'＋1;b;' -2"],
    ['a;"=1"', `a;'"=1"`],
    ["'=1", "''=1"],
    ['a; b = c', 'a; b = c'],
    ['a\n- b', 'a\n- b'],
  ])('of %j is %j', (text, escaped) => {
    expect(escapeFormula(text)).toBe(escaped);
    expect(unescapeFormula(escaped)).toBe(text);
  });

  it('begins no formula, neither as one cell nor where semicolons separate cells', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [first, ...others] = escapeFormula(text).split(';');
        expect(first).not.toMatch(/^[\t\r\n]/);
        for (const cell of [first, ...others]) expect(cell).not.toMatch(BEGINS_FORMULA);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back the text exactly, whatever it holds', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
