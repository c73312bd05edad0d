import { LRUCache } from 'lru-cache';
import { comeBackLater, type Clock } from '@clew/kernel';
import type { ModelSettingsStore } from '../availability/settings.store.ts';
import { dayOf } from './usage.ts';
import type { UsageStore } from './usage.store.ts';

export interface SystemBudgetDependencies {
  usage: Pick<UsageStore, 'tokensOf'>;
  settings: Pick<ModelSettingsStore, 'get'>;
  clock: Clock;
}

/** Time for which a project's known use is trusted: a budget may be overdrawn by calls made meanwhile. */
const TRUSTED_MS = 2_000;
const MAX_PROJECTS = 10_000;
const DAY_MS = 24 * 3_600_000;

/** Throws TOKEN_BUDGET_EXHAUSTED if the system's own calls have used up the project's budget for the day. */
export function createSystemBudget({ usage, settings, clock }: SystemBudgetDependencies) {
  const known = new LRUCache<string, boolean>({ max: MAX_PROJECTS, ttl: TRUSTED_MS });

  async function isExhausted(projectId: string): Promise<boolean> {
    const { dailySystemTokens } = await settings.get(projectId);
    if (dailySystemTokens === null) return false;
    const used = await usage.tokensOf({ projectId, day: dayOf(clock.now()), origin: 'system' });
    return used >= dailySystemTokens;
  }

  return async (projectId: string): Promise<void> => {
    let exhausted = known.get(projectId);
    if (exhausted === undefined) {
      exhausted = await isExhausted(projectId);
      known.set(projectId, exhausted);
    }
    if (!exhausted) return;
    const message = 'The tokens that the project allows the system a day are used up';
    throw comeBackLater('TOKEN_BUDGET_EXHAUSTED', message, DAY_MS - (clock.now() % DAY_MS));
  };
}
