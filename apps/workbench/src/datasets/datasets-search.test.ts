import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { datasetListOf, parseDatasetsSearch } from './datasets-search.ts';

describe('the state of the list of Datasets', () => {
  it('is what the address says, without what the API would refuse', () => {
    expect(parseDatasetsSearch({ q: ' refunds ', status: 'setup_required' })).toEqual({
      q: 'refunds',
      status: 'setup_required',
    });
    expect(parseDatasetsSearch({ q: '  ', status: 'broken', other: 'x' })).toEqual({});
  });

  it('asks for what it says', () => {
    expect(datasetListOf({ q: 'refunds', status: 'off' })).toEqual({
      q: 'refunds',
      collectionStatus: 'off',
      limit: 100,
    });
  });

  it('stays the same when it is read again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('q', 'status', 'x'), fc.anything()), (given) => {
        const search = parseDatasetsSearch(given);
        expect(parseDatasetsSearch({ ...search })).toEqual(search);
      }),
    );
  });
});
