import { expect, it } from '@jest/globals';
import { belongsTo, deedOf, errorsFirst, parseWorkItemsSearch, workItemFilters } from './work-items-search.ts';

const item = (status: 'provisioning' | 'planned' | 'done', syncState: 'synced' | 'error', isPrimary = true) => ({
  ...{ status, syncState, isPrimary },
});

it('reads what the API knows', () => {
  expect(parseWorkItemsSearch({ view: 'errors', provider: 'jira', x: '1' })).toEqual({
    view: 'errors',
    provider: 'jira',
  });
  expect(parseWorkItemsSearch({ view: 'lost', provider: 'provider_1' })).toEqual({});
  expect(workItemFilters({ view: 'errors', provider: 'jira' })).toEqual({ syncState: 'error', provider: 'jira' });
  expect(workItemFilters({})).toEqual({});
});

it('sorts into tabs', () => {
  expect(belongsTo('open', item('planned', 'synced'))).toBe(true);
  expect(belongsTo('open', item('planned', 'synced', false))).toBe(false);
  expect(belongsTo('errors', item('done', 'error'))).toBe(true);
  expect(belongsTo('done', item('planned', 'error'))).toBe(false);
});

it('puts what did not work first, and leaves the rest in order', () => {
  const rows = [
    { id: 1, syncState: 'synced' as const },
    { id: 2, syncState: 'error' as const },
    { id: 3, syncState: 'pending' as const },
    { id: 4, syncState: 'error' as const },
  ];
  expect(errorsFirst(rows).map(({ id }) => id)).toEqual([2, 4, 1, 3]);
});

it('tries again what was never made, and synchronizes the rest', () => {
  expect(deedOf(item('provisioning', 'error'))).toBe('retry');
  expect(deedOf(item('planned', 'error'))).toBe('sync');
  expect(deedOf(item('planned', 'synced', false))).toBeUndefined();
});
