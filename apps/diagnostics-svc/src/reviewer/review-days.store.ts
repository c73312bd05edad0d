import { dayOf } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { reviewDayCollection, reviewUsageCollection } from './reviews.model.ts';
import { NO_COUNTS, type DayCounts } from './sampling.ts';

/** Counts of today and of the day before. */
export interface TwoDays {
  today: DayCounts;
  yesterday: DayCounts;
}

/** Counts and costs of the reviews of projects, by day (UTC). */
export interface ReviewDayStore {
  load(tx: Transaction, projectId: string, nowMs: number): Promise<TwoDays>;
  saveCounts(tx: Transaction, projectId: string, counts: DayCounts, nowMs: number): Promise<void>;
  /** Adds the cost of reviews. */
  addUsage(
    tx: Transaction,
    projectId: string,
    usage: { reviewed: number; calls: number; tokens: number },
    nowMs: number,
  ): Promise<void>;
}

export function createReviewDayStore({ connection }: Pick<Database, 'connection'>): ReviewDayStore {
  const days = reviewDayCollection(connection);
  const usages = reviewUsageCollection(connection);
  const idOf = (projectId: string, day: number) => `${projectId}:${day}`;

  return {
    async load(tx, projectId, nowMs) {
      const day = dayOf(nowMs);
      const ids = [idOf(projectId, day), idOf(projectId, day - 1)];
      const found = await days.find({ _id: { $in: ids } }, { session: tx }).toArray();
      const countsOf = (wanted: number) => found.find((each) => each.day === wanted) ?? NO_COUNTS;
      return { today: countsOf(day), yesterday: countsOf(day - 1) };
    },
    async saveCounts(tx, projectId, { ready, random, byScore, scores }, nowMs) {
      const day = dayOf(nowMs);
      await days.updateOne(
        { _id: idOf(projectId, day), projectId, day },
        { $set: { ready, random, byScore, scores: [...scores] } },
        { upsert: true, session: tx },
      );
    },
    async addUsage(tx, projectId, usage, nowMs) {
      const day = dayOf(nowMs);
      const _id = idOf(projectId, day);
      await usages.updateOne({ _id, projectId }, { $inc: usage }, { upsert: true, session: tx });
      // A day on which nothing but earlier conversations was read is listed too; one that exists is not written.
      const blank = { ...NO_COUNTS, scores: [] };
      await days.updateOne({ _id, projectId, day }, { $setOnInsert: blank }, { upsert: true, session: tx });
    },
  };
}
