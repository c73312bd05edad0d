import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTraceSearch } from './trace-search.ts';

describe('the state of a trace', () => {
  it('is what the address says, without what means nothing', () => {
    expect(parseTraceSearch({ span: 'a1b2', q: ' timeout ', only: 'errors' })).toEqual({
      ...{ span: 'a1b2', q: 'timeout', only: 'errors' },
    });
    expect(parseTraceSearch({ span: 'a b', q: ' ', only: 'fine' })).toEqual({});
  });

  it('stays the same when it is read again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('span', 'q', 'only'), fc.anything()), (given) => {
        const search = parseTraceSearch(given);
        expect(parseTraceSearch({ ...search })).toEqual(search);
      }),
    );
  });
});
