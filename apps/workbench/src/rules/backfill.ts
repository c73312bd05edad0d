import type { Api } from '@clew/sdk';
import { count, counted } from '../text/format.ts';

const DAY_MS = 86_400_000;

export const MAX_CONVERSATIONS = 100_000;
export const SPANS = [
  { id: '1', label: 'The last day' },
  { id: '7', label: 'The last 7 days' },
  { id: '30', label: 'The last 30 days' },
  { id: '90', label: 'The last 90 days' },
] as const;

/** Window of a backfill over the last days. */
export function lastDays(days: string, nowMs: number): { startMs: number; endMs: number } {
  return { startMs: nowMs - Number(days) * DAY_MS, endMs: nowMs };
}

export function isRunning({ state }: Pick<Api.RuleBackfill, 'state'>): boolean {
  return state === 'scheduled' || state === 'running';
}

/** State of a backfill in a sentence. */
export function backfillText(backfill: Api.RuleBackfill): string {
  const { state, conversationsSeen, runsQueued, maxConversations, reviewDays } = backfill;
  const seen = `${counted(conversationsSeen, 'conversation')} seen, ${counted(runsQueued, 'run')} queued`;
  const days = reviewDays === undefined ? '' : `; their reviews take ${counted(reviewDays, 'day')}`;
  if (state === 'scheduled') return 'It begins in a moment';
  if (state === 'running') return `${seen}, of at most ${count(maxConversations)}${days}`;
  return `${seen}${days}`;
}
