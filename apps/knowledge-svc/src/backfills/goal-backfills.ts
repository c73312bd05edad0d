import { cancelled, type Database, type Outbox, type Transaction } from '@clew/persistence';
import type { StoredGoal } from '../goals/index.ts';
import { reportEnd } from './backfill-events.ts';
import { backfillCollection, backfillOf } from './backfill.model.ts';

/** Applies a goal's new status to its backfills: those of an active goal go on, those of an archived goal end. */
export function createGoalBackfills({ connection }: Pick<Database, 'connection'>, outbox: Outbox) {
  const backfills = backfillCollection({ connection });
  return async (tx: Transaction, { projectId, id: goalId, status }: StoredGoal, nowMs: number): Promise<void> => {
    const running = { projectId, goalId, state: { $in: ['scheduled', 'running'] as const } };
    if (status === 'active') {
      await backfills.updateMany({ ...running, isPaged: false }, { $set: { dueAt: nowMs } }, { session: tx });
    }
    if (status === 'archived') {
      const ended = await backfills.find(running, { session: tx }).toArray();
      const end = { state: 'cancelled' as const, endedAt: nowMs, dueAt: null };
      await backfills.updateMany(running, { $set: end }, { session: tx });
      for (const { id, ...backfill } of ended.map(backfillOf)) {
        await reportEnd(tx, outbox, id, cancelled(backfill, nowMs));
      }
    }
  };
}
