import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '@clew/persistence';
import { findingTaskCollection, type FindingTaskDocument } from './finding-task.model.ts';

export interface FindingTaskStore {
  /** Schedules a recount of the conversations that show the Findings. */
  recount(tx: Transaction, projectId: string, findingIds: readonly string[], nowMs: number): Promise<void>;
  /** Schedules the end of a Finding's snooze; a later call replaces the time. */
  endSnooze(tx: Transaction, projectId: string, findingId: string, atMs: number): Promise<void>;
}

export function createFindingTaskStore({ connection }: Database): FindingTaskStore {
  const tasks = findingTaskCollection(connection);
  return {
    async recount(tx, projectId, findingIds, nowMs) {
      const rows = findingIds.map((findingId): FindingTaskDocument => {
        return { _id: `recount:${randomUUID()}`, projectId, findingId, kind: 'recount', through: null, dueAt: nowMs };
      });
      if (rows.length > 0) await tasks.insertMany(rows, { session: tx });
    },
    async endSnooze(tx, projectId, findingId, atMs) {
      const fields = { projectId, findingId, kind: 'snooze' as const, dueAt: atMs };
      await tasks.updateOne({ _id: `snooze:${findingId}` }, { $set: fields }, { session: tx, upsert: true });
    },
  };
}
