import { createDailyBudget, type Database, type Transaction } from '@clew/persistence';
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
  const budget = createDailyBudget(budgetCollection(connection));
  const ownerOf = (projectId: string) => ({ _id: kind === 'adjudication' ? projectId : `${projectId}:${kind}` });
  return {
    reserve: (tx, projectId, wanted, limit, nowMs) => budget.reserve(tx, ownerOf(projectId), { wanted, limit, nowMs }),
    correct: (tx, projectId, more, nowMs) => budget.correct(tx, ownerOf(projectId), more, nowMs),
  };
}
