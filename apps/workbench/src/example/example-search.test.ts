import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseExampleSearch } from './example-search.ts';

describe('the state of an Example', () => {
  it('is what the address says, without what means nothing', () => {
    expect(parseExampleSearch({ version: '12', view: 'json' })).toEqual({ version: 12, view: 'json' });
    expect(parseExampleSearch({ conversation: 'c', step: '3', type: 'chat' })).toEqual({
      ...{ conversation: 'c', step: 3, type: 'chat' },
    });
    expect(parseExampleSearch({ version: '-1', view: 'x', type: 'y', step: '3', conversation: '' })).toEqual({});
  });

  it('stays the same when it is read again', () => {
    const value = fc.oneof(fc.string(), fc.nat(), fc.constantFrom('json', 'chat', 'text'));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('version', 'view', 'type', 'conversation', 'step'), value), (given) => {
        const search = parseExampleSearch(given);
        expect(parseExampleSearch({ ...search })).toEqual(search);
      }),
    );
  });
});
