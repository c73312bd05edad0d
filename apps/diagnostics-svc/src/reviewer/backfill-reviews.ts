import type { ReadySnapshot } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { Reviewers } from './reviewers.ts';
import { reviewCollection } from './reviews.model.ts';
import type { ReviewStore } from './reviews.store.ts';

/** Reviews of earlier conversations, which somebody asks for as for a backfill of a Rule. */
export interface ReviewBackfills {
  /** Whether the project has its conversations read. */
  isOn(projectId: string): Promise<boolean>;
  /** Wants a review of each conversation, unless its snapshot was chosen before; returns their number. */
  queue(
    tx: Transaction,
    of: { projectId: string; requestId: string | null },
    conversations: readonly ReadySnapshot[],
  ): Promise<number>;
  /** Days over which the daily limit spreads that many reviews, and those that wait already. */
  daysFor(projectId: string, reviews: number): Promise<number>;
}

/** Number of waiting reviews up to which they are counted. */
const MAX_COUNTED = 1_000_000;

export interface ReviewBackfillsDependencies {
  database: Pick<Database, 'connection' | 'afterCommit'>;
  reviews: Pick<ReviewStore, 'snapshotsOf' | 'want'>;
  reviewers: Pick<Reviewers, 'plansOf'>;
  clock: Clock;
  /** Wakes the loop that asks reviewers. */
  wake(): void;
}

export function createReviewBackfills(dependencies: ReviewBackfillsDependencies): ReviewBackfills {
  const { database, reviews, reviewers, clock, wake } = dependencies;
  const planOf = async (projectId: string) => (await reviewers.plansOf([projectId])).get(projectId);
  return {
    async isOn(projectId) {
      const plan = await planOf(projectId);
      return plan !== undefined && plan.mode !== 'off' && plan.dailyReviews > 0;
    },
    async queue(tx, { projectId, requestId }, conversations) {
      const names = conversations.map(({ conversationId }) => conversationId);
      const chosen = await reviews.snapshotsOf(tx, projectId, names);
      const nowMs = clock.now();
      const wanted = conversations
        .filter(({ conversationId, snapshotId }) => chosen.get(conversationId) !== snapshotId)
        .map(({ conversationId, snapshotId }) => ({
          ...{ projectId, conversationId, snapshotId, requestId, inclusion: null, dueAt: nowMs },
          chosenBy: 'backfill' as const,
        }));
      await reviews.want(tx, wanted);
      if (wanted.length > 0) database.afterCommit(tx, wake);
      return wanted.length;
    },
    async daysFor(projectId, more) {
      const filter = { projectId, state: 'due' as const };
      const waiting = await reviewCollection(database.connection).countDocuments(filter, { limit: MAX_COUNTED });
      const { dailyReviews = 0 } = (await planOf(projectId)) ?? {};
      return Math.ceil((waiting + more) / Math.max(1, dailyReviews));
    },
  };
}
