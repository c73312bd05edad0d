import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { activeFilters, exampleFilters, parseDatasetSearch, withFilter, withoutFilters } from './dataset-search.ts';

describe('the state of a Dataset', () => {
  it('is what the address says, without what the API would refuse', () => {
    expect(parseDatasetSearch({ tab: 'versions', from: '2', to: '5' })).toEqual({ tab: 'versions', from: 2, to: 5 });
    expect(parseDatasetSearch({ tab: 'examples', from: '5', to: '2', sourceKind: 'magic', q: ' ' })).toEqual({});
    expect(parseDatasetSearch({ from: '1.5', to: '-2', beside: 'all' })).toEqual({});
  });

  it('filters Examples, whatever else it says', () => {
    const search = parseDatasetSearch({ q: 'refund', tag: 'split:train', sourceKind: 'import', beside: 'source' });
    expect(exampleFilters(search)).toEqual({ q: 'refund', tag: 'split:train', sourceKind: 'import' });
    expect(activeFilters(withoutFilters(search))).toEqual([]);
    expect(withoutFilters(search)).toEqual({ beside: 'source' });
  });

  it('takes a filter away where the same one is chosen again', () => {
    expect(withFilter({ tag: 'a' }, 'tag', 'b')).toEqual({ tag: 'b' });
    expect(withFilter({ tag: 'a', q: 'x' }, 'tag', 'a')).toEqual({ q: 'x' });
  });

  it('stays the same when it is read again', () => {
    const name = fc.constantFrom('tab', 'q', 'tag', 'sourceKind', 'conversationId', 'beside', 'from', 'to');
    const value = fc.oneof(fc.string(), fc.nat(), fc.constantFrom('versions', 'import', 'manual', 'source', '7'));
    fc.assert(
      fc.property(fc.dictionary(name, value), (given) => {
        const search = parseDatasetSearch(given);
        expect(parseDatasetSearch({ ...search })).toEqual(search);
      }),
    );
  });
});
