import { describe, expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { backfillOf, backfillShare, backfillText, fieldTime, rejectionRows, waitingText } from './backfill.ts';

const backfill = (rest: Partial<Api.KnowledgeBackfill> = {}): Api.KnowledgeBackfill => ({
  ...{ backfillId: 'b', goalId: 'g', state: 'running', startMs: 1, endMs: 2, maxConversations: 100, pagesDone: 2 },
  ...{ conversationsSeen: 40, conversationsPending: 10, conversationsFailed: 0, itemsCreated: 3, itemsMerged: 1 },
  ...{ rejectedQuotes: 0, rejected: {}, failureReason: null, createdAt: 1, endedAt: null },
  ...rest,
});

describe('the progress of a backfill', () => {
  it('is the share of what it found that is read', () => {
    expect(backfillShare(backfill())).toBe(0.75);
    expect(backfillShare(backfill({ state: 'completed', conversationsSeen: 0, conversationsPending: 0 }))).toBe(1);
  });

  it('is not known before anything is found', () => {
    const nothing = { conversationsSeen: 0, conversationsPending: 0 };
    expect(backfillShare(backfill({ state: 'scheduled', ...nothing }))).toBeUndefined();
    expect(backfillShare(backfill({ state: 'cancelled', ...nothing }))).toBe(0);
  });

  it('is one sentence', () => {
    expect(backfillText(backfill({ conversationsFailed: 1 }), 'en')).toBe(
      '29 conversations read, 10 waiting, 1 given up, 2 pages',
    );
    expect(backfillText(backfill({ conversationsPending: 0, conversationsSeen: 1, pagesDone: 1 }), 'en')).toBe(
      '1 conversation read, 1 page',
    );
  });
});

it('tells why statements were rejected, the most frequent reason first', () => {
  const rows = rejectionRows({ rejected: { tainted: 1, quote_not_found: 4, new_reason: 2 }, rejectedQuotes: 9 });
  expect(rows.map(({ reason, count }) => [reason, count])).toEqual([
    ['quote_not_found', 4],
    ['new_reason', 2],
    ['tainted', 1],
    ['unknown', 2],
  ]);
  expect(rejectionRows({ rejected: {}, rejectedQuotes: 0 })).toEqual([]);
});

it('says what a reading waits for', () => {
  expect(waitingText({ reason: 'places', since: 1, position: 3 })).toBe(
    'Others have their turn first: place 3 in the queue',
  );
  expect(waitingText({ reason: 'budget', since: 1 })).toBe('The tokens of the day are used up');
});

describe('the fields of a backfill', () => {
  it('become a request', () => {
    const [from, to] = [fieldTime(0), fieldTime(3_600_000)];
    expect(backfillOf({ from, to, max: '20' })).toEqual({
      body: { startMs: 0, endMs: 3_600_000, maxConversations: 20 },
    });
  });

  it('say what is wrong with each', () => {
    expect(backfillOf({ from: '', to: 'x', max: '1.5' })).toEqual({
      errors: { from: 'Name a time', to: 'Name a time', max: 'A number from 1 to 100,000' },
    });
    expect(backfillOf({ from: fieldTime(9e6), to: fieldTime(0), max: '1' })).toEqual({
      errors: { to: 'The end comes after the beginning' },
    });
  });
});
