import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { catalogOf, isFiltered, parseModelsSearch } from './models-search.ts';

it('reads the state of the catalog from the address', () => {
  const search = parseModelsSearch({ search: ' qwen ', installed: 'true', category: 'chat', format: 'gguf' });
  expect(catalogOf(search)).toEqual({ search: 'qwen', installed: true, category: 'chat', format: 'gguf', limit: 50 });
  expect(isFiltered(search)).toBe(true);
  expect(isFiltered({ tab: 'providers' })).toBe(false);
});

it('leaves out what the API would refuse', () => {
  expect(parseModelsSearch({ search: '  ', installed: 'no', category: 'magic', format: 'zip', tab: 'x' })).toEqual({});
});

it('stays the same when it is read again, whatever stands in the address', () => {
  const name = fc.constantFrom('search', 'installed', 'category', 'format', 'tab');
  const value = fc.oneof(fc.string(), fc.constantFrom('true', 'chat', 'gguf', 'providers'), fc.nat());
  fc.assert(
    fc.property(fc.dictionary(name, value), (given) => {
      const search = parseModelsSearch(given);
      expect(parseModelsSearch({ ...search })).toEqual(search);
    }),
  );
});
