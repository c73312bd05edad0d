import { dayOf } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { budgetCollection } from './adjudication.model.ts';

/** Work that has a daily limit of its own. */
export type BudgetKind = 'adjudication' | 'review';

/** Counts the calls of projects by day (UTC). */
export interface BudgetStore {
  /** Reserves as many of the wanted calls as the day has left; returns their number. */
  reserve(tx: Transaction, projectId: string, wanted: number, limit: number, nowMs: number): Promise<number>;
  /** Corrects a reservation of one call that took none, or more than one. */
  correct(tx: Transaction, projectId: string, more: number, nowMs: number): Promise<void>;
}

export function createBudgetStore({ connection }: Pick<Database, 'connection'>, kind: BudgetKind): BudgetStore {
  const budgets = budgetCollection(connection);
  const idOf = (projectId: string) => (kind === 'adjudication' ? projectId : `${projectId}:${kind}`);

  async function usedOn(tx: Transaction, projectId: string, day: number): Promise<number> {
    const known = await budgets.findOne({ _id: idOf(projectId) }, { session: tx });
    return known?.day === day ? known.calls : 0;
  }

  async function put(tx: Transaction, projectId: string, day: number, calls: number): Promise<void> {
    await budgets.updateOne({ _id: idOf(projectId) }, { $set: { day, calls } }, { upsert: true, session: tx });
  }

  return {
    async reserve(tx, projectId, wanted, limit, nowMs) {
      const day = dayOf(nowMs);
      const used = await usedOn(tx, projectId, day);
      const granted = Math.max(0, Math.min(wanted, limit - used));
      if (granted > 0) await put(tx, projectId, day, used + granted);
      return granted;
    },
    async correct(tx, projectId, more, nowMs) {
      if (more === 0) return;
      const day = dayOf(nowMs);
      await put(tx, projectId, day, Math.max(0, (await usedOn(tx, projectId, day)) + more));
    },
  };
}
