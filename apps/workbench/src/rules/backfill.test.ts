import { expect, it } from '@jest/globals';
import type { Api } from '@clew/sdk';
import { backfillText, isRunning, lastDays } from './backfill.ts';

const backfill = (rest: Partial<Api.RuleBackfill>): Api.RuleBackfill => ({
  ...{ backfillId: 'bf_1', ruleId: 'rule_1', state: 'running', startMs: 0, endMs: 1, maxConversations: 10_000 },
  ...{ conversationsSeen: 120, runsQueued: 1, createdAt: 1, endedAt: null },
  ...rest,
});

it('covers the last days', () => {
  expect(lastDays('7', 604_800_001)).toEqual({ startMs: 1, endMs: 604_800_001 });
});

it('runs until it has ended', () => {
  const states = ['scheduled', 'running', 'completed', 'cancelled', 'failed'] as const;
  expect(states.filter((state) => isRunning({ state }))).toEqual(['scheduled', 'running']);
});

it('is said in a sentence', () => {
  expect(backfillText(backfill({}))).toBe('120 conversations seen, 1 run queued, of at most 10K');
  expect(backfillText(backfill({ state: 'completed', reviewDays: 3 }))).toBe(
    '120 conversations seen, 1 run queued; their reviews take 3 days',
  );
});
