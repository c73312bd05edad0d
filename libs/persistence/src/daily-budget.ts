import type { mongo } from 'mongoose';
import { dayOf } from '@clew/kernel';
import type { Transaction } from './database.ts';

/** Calls that one owner, whose id it has, made on one day (UTC); its other fields say what it is removed with. */
export interface DailyBudgetRow {
  _id: string;
  day: number;
  calls: number;
}

/** Owner of a count: its id, and the other fields of its row. */
export type BudgetOwner<Row extends DailyBudgetRow> = Omit<Row, 'day' | 'calls'>;

/** Counts the calls of owners by day (UTC), each against a limit of its own. */
export interface DailyBudget<Row extends DailyBudgetRow = DailyBudgetRow> {
  /** Reserves as many of the wanted calls as the day has left; returns their number. */
  reserve(
    tx: Transaction,
    owner: BudgetOwner<Row>,
    request: { wanted: number; limit: number; nowMs: number },
  ): Promise<number>;
  /** Corrects a reservation of one call that took none, or more than one. */
  correct(tx: Transaction, owner: BudgetOwner<Row>, more: number, nowMs: number): Promise<void>;
}

/** Creates the counts of a collection. */
export function createDailyBudget<Row extends DailyBudgetRow>(collection: mongo.Collection<Row>): DailyBudget<Row> {
  // The driver's types do not support a generic document.
  const budgets = collection as unknown as mongo.Collection<DailyBudgetRow>;

  async function usedOn(tx: Transaction, _id: string, day: number): Promise<number> {
    const known = await budgets.findOne({ _id }, { session: tx });
    return known?.day === day ? known.calls : 0;
  }

  async function put(tx: Transaction, owner: DailyBudgetRow): Promise<void> {
    const { _id, ...set } = owner;
    await budgets.updateOne({ _id }, { $set: set }, { upsert: true, session: tx });
  }

  return {
    async reserve(tx, owner, { wanted, limit, nowMs }) {
      const day = dayOf(nowMs);
      const used = await usedOn(tx, owner._id, day);
      const granted = Math.max(0, Math.min(wanted, limit - used));
      if (granted > 0) await put(tx, { ...owner, day, calls: used + granted });
      return granted;
    },
    async correct(tx, owner, more, nowMs) {
      if (more === 0) return;
      const day = dayOf(nowMs);
      await put(tx, { ...owner, day, calls: Math.max(0, (await usedOn(tx, owner._id, day)) + more) });
    },
  };
}
