import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  activeFilters,
  conversationFilters,
  conversationWindow,
  parseConversationsPageSearch,
  parseConversationsSearch,
  withoutFilter,
} from './conversations-search.ts';

const HOUR = 3_600_000;
const NOW = 500_000 * HOUR - 5;

describe('the state of the list of conversations', () => {
  it('is what the address says, without what the API would refuse', () => {
    const given = {
      q: ' refund ',
      flagged: 'yes',
      failed: 'perhaps',
      state: 'lost',
      span: 'toString',
      from: '9',
      to: '3',
    };
    expect(parseConversationsSearch(given)).toEqual({ q: 'refund', flagged: 'yes' });
    expect(parseConversationsSearch({ from: '3', to: '9' })).toEqual({ from: 3, to: 9 });
  });

  it('stays the same when it is read again, whatever stands in the address', () => {
    const name = fc.constantFrom('q', 'agent', 'flagged', 'failed', 'state', 'span', 'from', 'to', 'other');
    const value = fc.oneof(fc.string(), fc.constantFrom('yes', 'ready', 'week', '12', '1e99', '-1'), fc.nat());
    fc.assert(
      fc.property(fc.dictionary(name, value), (given) => {
        const search = parseConversationsSearch(given);
        expect(parseConversationsSearch(search)).toEqual(search);
      }),
    );
  });

  it('becomes filters of the API', () => {
    expect(conversationFilters({ q: 'x', flagged: 'no', span: 'day' }, NOW)).toEqual({
      q: 'x',
      hasFinding: false,
      startedAfter: (500_000 - 24) * HOUR,
    });
    expect(conversationFilters({ from: 3, to: 9, span: 'day' }, NOW)).toEqual({ startedAfter: 3, startedBefore: 9 });
  });

  it('names a window as one filter, and clears both its ends', () => {
    const search = { from: 3, to: 9, q: 'x' };
    expect(activeFilters(search)).toEqual(['from', 'q']);
    expect(withoutFilter(search, 'from')).toEqual({ q: 'x' });
  });
});

describe('the window of the chart', () => {
  it('has whole hours and at most sixty bars', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: HOUR * 1_000, max: NOW }),
        fc.integer({ min: 1, max: 900 * HOUR }),
        (from, length) => {
          const { startMs, endMs, intervalMs } = conversationWindow({ from, to: from + length }, NOW);
          expect([startMs % HOUR, endMs % HOUR, intervalMs % HOUR]).toEqual([0, 0, 0]);
          expect(startMs).toBeLessThanOrEqual(from);
          expect(endMs).toBeGreaterThanOrEqual(from + length);
          expect((endMs - startMs) / intervalMs).toBeLessThanOrEqual(60);
        },
      ),
    );
  });
});

it('has the conversation beside the list in the address, but not among the filters', () => {
  expect(parseConversationsPageSearch({ q: 'refund', peek: 'support-2041' })).toEqual({
    q: 'refund',
    peek: 'support-2041',
  });
  expect(parseConversationsPageSearch({ peek: 'x'.repeat(513) })).toEqual({});
  expect(parseConversationsSearch({ peek: 'support-2041' })).toEqual({});
});
