import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { chartWindow, occurrenceBeside, occurrenceNames, orderedOccurrences } from './occurrences.ts';

const occurrence = (conversationId: string, conversationStartedAt: number) =>
  ({ conversationId, conversationStartedAt }) as Api.FindingOccurrence;
const ALL = [occurrence('c', 3), occurrence('b', 2), occurrence('a', 1)];

describe('occurrences', () => {
  it('begin with the clearest example', () => {
    expect(orderedOccurrences(ALL, 'b').map(({ conversationId }) => conversationId)).toEqual(['b', 'c', 'a']);
    expect(orderedOccurrences(ALL, 'gone')).toEqual(ALL);
  });

  it('are walked to their ends', () => {
    expect(occurrenceBeside(ALL, 'c', 1)?.conversationId).toBe('b');
    expect(occurrenceBeside(ALL, 'a', 1)).toBeUndefined();
    expect(occurrenceBeside(ALL, 'c', -1)).toBeUndefined();
    expect(occurrenceBeside(ALL, 'gone', 1)?.conversationId).toBe('c');
  });

  it('have names where they stand out', () => {
    expect([...occurrenceNames(ALL, 'b')].sort()).toEqual([
      ['a', 'earliest'],
      ['b', 'clearest example'],
      ['c', 'latest'],
    ]);
    expect([...occurrenceNames([occurrence('a', 1)], 'a')]).toEqual([['a', 'clearest example']]);
  });
});

it('shows between 14 and 30 whole days', () => {
  const day = 86_400_000;
  const now = 20_000 * day + 5;
  expect(chartWindow(now - 2 * day, now)).toEqual({ startMs: 19_987 * day, endMs: 20_001 * day, intervalMs: day });
  expect(chartWindow(now - 400 * day, now).startMs).toBe(19_971 * day);
  expect(chartWindow(now - 20 * day, now).startMs).toBeLessThanOrEqual(now - 20 * day);
});
