import { LRUCache } from 'lru-cache';
import type { QuotaName, Quotas } from '@clew/contracts';
import { nextDayMs, quotaExceeded, type Clock } from '@clew/kernel';
import type { FinishedCall } from '../recording/finished-call.ts';
import type { QuotaCopies } from './quotas.store.ts';
import { dayOf } from './usage.ts';
import type { UsageStore } from './usage.store.ts';

export interface TokenQuotaDependencies {
  usage: Pick<UsageStore, 'tokensSince'>;
  quotas: Pick<QuotaCopies, 'get'>;
  clock: Clock;
}

/** Quotas of the tokens that the calls of a project use in a day and in a month. */
export interface TokenQuota {
  /** Throws QUOTA_EXCEEDED if a quota of the project is used up. */
  require(projectId: string): Promise<void>;
  /** Counts a call from its end on, until `settle` is told that it is stored. */
  note(call: FinishedCall): void;
  settle(calls: readonly FinishedCall[]): void;
}

interface Known {
  day: string;
  quotas: Quotas;
  tokensOfDay: number;
  tokensOfMonth: number;
}

/**
 * Time for which stored figures are trusted. What other replicas count meanwhile, and calls in progress, may go beyond
 * a quota.
 */
const TRUSTED_MS = 500;
const MAX_PROJECTS = 10_000;

export function createTokenQuota({ usage, quotas, clock }: TokenQuotaDependencies): TokenQuota {
  const known = new LRUCache<string, Promise<Known>>({ max: MAX_PROJECTS, ttl: TRUSTED_MS });
  /** Tokens of calls that have ended and are not stored yet, by project. */
  const unstored = new Map<string, number>();

  const add = (projectId: string, tokens: number) => {
    const sum = (unstored.get(projectId) ?? 0) + tokens;
    if (sum === 0) unstored.delete(projectId);
    else unstored.set(projectId, sum);
  };

  async function read(projectId: string, day: string): Promise<Known> {
    const held = await quotas.get(projectId);
    if (held.inferenceTokensPerDay === null && held.inferenceTokensPerMonth === null) {
      return { day, quotas: held, tokensOfDay: 0, tokensOfMonth: 0 };
    }
    const byDay = await usage.tokensSince(projectId, `${day.slice(0, 7)}-01`, day);
    const tokensOfMonth = [...byDay.values()].reduce((sum, tokens) => sum + tokens, 0);
    return { day, quotas: held, tokensOfDay: byDay.get(day) ?? 0, tokensOfMonth };
  }

  async function knownOf(projectId: string, day: string): Promise<Known> {
    const cached = known.get(projectId);
    if (cached !== undefined && (await cached).day === day) return await cached;
    const reading = read(projectId, day);
    known.set(projectId, reading);
    reading.catch(() => known.delete(projectId));
    return await reading;
  }

  return {
    async require(projectId) {
      const nowMs = clock.now();
      const { quotas: held, tokensOfDay, tokensOfMonth } = await knownOf(projectId, dayOf(nowMs));
      const more = unstored.get(projectId) ?? 0;
      const check = (quota: QuotaName, used: number, opensAtMs: number) => {
        const limit = held[quota];
        if (limit !== null && used >= limit) throw quotaExceeded({ quota, limit, used, opensAtMs }, nowMs);
      };
      check('inferenceTokensPerMonth', tokensOfMonth + more, nextMonthMs(nowMs));
      check('inferenceTokensPerDay', tokensOfDay + more, nextDayMs(nowMs));
    },
    note: (call) => add(call.projectId, tokensOf(call)),
    settle: (calls) => calls.forEach((call) => add(call.projectId, -tokensOf(call))),
  };
}

function tokensOf({ tokens: { inputTokens, outputTokens } }: FinishedCall): number {
  return inputTokens + outputTokens;
}

function nextMonthMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
