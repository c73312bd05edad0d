import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  activeFilters,
  chosenOf,
  countFilters,
  ITEM_FACETS,
  itemFilters,
  itemListOf,
  parseKnowledgeSearch,
  withFacet,
  withoutFilter,
} from './knowledge-search.ts';

describe('the state of the review', () => {
  it('begins with what is active and not reviewed', () => {
    expect(itemListOf(parseKnowledgeSearch({}))).toEqual({ status: 'active', reviewed: false, limit: 100 });
  });

  it('is what the address says', () => {
    const search = parseKnowledgeSearch({ goal: 'goal_1', status: 'all', reviewed: 'true', kind: 'fact', q: ' tax ' });
    expect(search).toEqual({ goal: 'goal_1', status: 'all', reviewed: 'true', kind: 'fact', q: 'tax' });
    expect(itemFilters(search)).toEqual({ goalId: 'goal_1', reviewed: true, kind: 'fact', q: 'tax' });
  });

  it('leaves out what the API would refuse', () => {
    expect(parseKnowledgeSearch({ status: 'lost', reviewed: 'maybe', kind: 'rumour', q: ' ', goal: ['a'] })).toEqual(
      {},
    );
  });

  it('stays the same when it is read again, whatever stands in the address', () => {
    const name = fc.constantFrom('goal', 'status', 'reviewed', 'kind', 'q', 'conversation', 'item', 'other');
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('all', 'true', 'false', 'active', 'archived', 'fact'),
      fc.nat(),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), (given) => {
        const search = parseKnowledgeSearch(given);
        expect(parseKnowledgeSearch({ ...search })).toEqual(search);
      }),
    );
  });
});

describe('a facet', () => {
  it('has the values of a queue where nothing is chosen', () => {
    expect(ITEM_FACETS.map((facet) => chosenOf({}, facet))).toEqual([undefined, 'active', 'false']);
  });

  it('chosen again means all', () => {
    expect(withFacet({}, 'reviewed', 'false')).toEqual({ reviewed: 'all' });
    expect(withFacet({ reviewed: 'all' }, 'reviewed', 'false')).toEqual({});
    expect(withFacet({ kind: 'fact' }, 'kind', 'fact')).toEqual({});
    expect(withFacet({ item: 'kitm_1' }, 'kind', 'policy')).toEqual({ kind: 'policy' });
  });

  it('is counted without itself', () => {
    expect(countFilters({ kind: 'fact' }, 'kind')).toEqual({ status: 'active', reviewed: false });
    expect(countFilters({ kind: 'fact' }, 'status')).toEqual({ kind: 'fact', reviewed: false });
  });
});

it('clears a filter, and closes the item with it', () => {
  const search = { q: 'tax', kind: 'fact', item: 'kitm_1' } as const;
  expect(activeFilters(search)).toEqual(['q', 'kind']);
  expect(withoutFilter(search, 'q')).toEqual({ kind: 'fact' });
});
