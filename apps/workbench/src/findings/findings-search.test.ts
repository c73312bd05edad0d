import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  activeFilters,
  belongsTo,
  facetCounts,
  FINDING_FACETS,
  findingListOf,
  parseFindingsPageSearch,
  parseFindingsSearch,
  viewCounts,
  withoutFilter,
  withoutFilters,
  withValue,
} from './findings-search.ts';

describe('the state of the list of Findings', () => {
  it('is what the address says', () => {
    const search = parseFindingsSearch({
      view: 'all',
      severity: 'critical,high',
      q: ' refund ',
      sort: 'diagnosticScore',
    });
    expect(search).toEqual({ view: 'all', severity: 'critical,high', q: 'refund', sort: 'diagnosticScore' });
    expect(findingListOf(search)).toEqual({
      severity: 'critical,high',
      q: 'refund',
      sort: 'diagnosticScore',
      limit: 50,
    });
  });

  it('leaves out what the API would refuse', () => {
    const given = { view: 'x', severity: 'critical,worst', workItem: 'lost', sort: 'title', q: '  ', agent: ['a'] };
    expect(parseFindingsSearch(given)).toEqual({ severity: 'critical' });
  });

  it('begins with what is to be reviewed', () => {
    expect(findingListOf({})).toEqual({ reviewStatus: 'unreviewed', snoozed: false, limit: 50 });
  });

  it('stays the same when it is read again, whatever stands in the address', () => {
    const name = fc.constantFrom('view', 'sort', 'q', 'severity', 'ruleId', 'agent', 'assignee', 'workItem', 'other');
    const value = fc.oneof(fc.string(), fc.constantFrom('all', 'high,low,high', 'a,,b', 'none', 'me', ','), fc.nat());
    fc.assert(
      fc.property(fc.dictionary(name, value), (given) => {
        const search = parseFindingsSearch(given);
        expect(parseFindingsSearch(search)).toEqual(search);
      }),
    );
  });
});

describe('a filter', () => {
  it('takes several values where the API does, else the last one', () => {
    expect(withValue({ severity: 'high' }, 'severity', 'low')).toEqual({ severity: 'high,low' });
    expect(withValue({ agent: 'a' }, 'agent', 'b')).toEqual({ agent: 'b' });
  });

  it('is left out with its last value', () => {
    expect(withValue({ severity: 'high', q: 'x' }, 'severity', 'high')).toEqual({ q: 'x' });
  });

  it('is cleared alone, or with all others but tab and order', () => {
    const search = { view: 'all', sort: 'occurrenceCount', q: 'x', severity: 'low' } as const;
    expect(activeFilters(search)).toEqual(['severity', 'q']);
    expect(withoutFilter(search, 'q')).toEqual({ view: 'all', sort: 'occurrenceCount', severity: 'low' });
    expect(withoutFilters(search)).toEqual({ view: 'all', sort: 'occurrenceCount' });
  });
});

describe('the counts beside filters', () => {
  it('are one request while no filter is set', () => {
    expect(facetCounts({})).toEqual([
      {
        facets: [...FINDING_FACETS],
        query: { reviewStatus: 'unreviewed', snoozed: false, by: FINDING_FACETS.join(',') },
      },
    ]);
  });

  it('of a filter that is set are those without it', () => {
    const [free, severity] = facetCounts({ view: 'all', severity: 'high', q: 'x' });
    expect(free?.query).toMatchObject({ severity: 'high', q: 'x' });
    expect(severity).toEqual({ facets: ['severity'], query: { q: 'x', by: 'severity' } });
  });
});

describe('a tab', () => {
  const finding = { reviewStatus: 'unreviewed', resolutionStatus: 'regressed', snooze: null };

  it('loses a Finding that was dealt with', () => {
    expect(belongsTo('review', finding)).toBe(true);
    expect(belongsTo('review', { ...finding, reviewStatus: 'confirmed' })).toBe(false);
    expect(belongsTo('review', { ...finding, snooze: {} })).toBe(false);
    expect(belongsTo('snoozed', { ...finding, snooze: {} })).toBe(true);
    expect(belongsTo('regressed', finding)).toBe(true);
    expect(belongsTo('all', finding)).toBe(true);
  });

  it('has its count, which is none where nothing was counted yet', () => {
    const counts = { reviewStatus: [{ value: 'unreviewed', count: 3 }] };
    expect(viewCounts({ total: 3, counts }, undefined)).toMatchObject({ review: 3, all: undefined });
    expect(viewCounts(undefined, { total: 9, counts: {} })).toMatchObject({ review: undefined, confirmed: 0, all: 9 });
  });
});

it('has the Finding beside the list in the address, but not in what the list is', () => {
  expect(parseFindingsPageSearch({ view: 'all', peek: 'fnd_1' })).toEqual({ view: 'all', peek: 'fnd_1' });
  expect(parseFindingsPageSearch({ peek: '' })).toEqual({});
  expect(parseFindingsSearch({ peek: 'fnd_1' })).toEqual({});
});
