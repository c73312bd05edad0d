import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commaList, nameList } from './query-lists.ts';

const COLOURS = ['red', 'green', 'blue'] as const;

describe('a list of values in a query', () => {
  it('holds each value once and in one order, however it is written', () => {
    const list = commaList(COLOURS);
    const property = fc.property(fc.array(fc.constantFrom(...COLOURS), { minLength: 1 }), (named) => {
      expect(list.parse(named.join(','))).toEqual(COLOURS.filter((colour) => named.includes(colour)));
    });
    fc.assert(property);
  });

  it.each(['', ',', 'red,', 'red,,blue', 'Red', 'red, blue', 'red;blue', '__proto__'])('is not %j', (text) => {
    expect(commaList(COLOURS).safeParse(text).error?.issues).toMatchObject([{ path: [] }]);
  });
});

describe('a list of names in a query', () => {
  it('holds up to so many names, each once', () => {
    expect(nameList(2, 3).parse('b,a,b')).toEqual(['a', 'b']);
    for (const text of ['', 'a,', 'a,b,c', 'abcd']) expect(nameList(2, 3).safeParse(text).success).toBe(false);
  });
});
