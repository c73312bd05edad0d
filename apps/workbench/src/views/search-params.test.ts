import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSearch, stringifySearch } from './search-params.ts';

it('writes parameters as people read them', () => {
  expect(stringifySearch({ severity: 'critical,high', q: 'a & b', sort: undefined, step: 12 })).toBe(
    '?severity=critical,high&q=a+%26+b&step=12',
  );
  expect(stringifySearch({})).toBe('');
});

it('reads what it has written', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(fc.dictionary(text, text), (search) => {
      expect({ ...parseSearch(stringifySearch(search)) }).toEqual({ ...search });
    }),
  );
});
