import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetList } from '@clew/persistence';
import type { RandomReviews } from './failure-rate.ts';
import {
  reviewCollection,
  reviewDayCollection,
  reviewUsageCollection,
  type ReviewDayDocument,
  type ReviewDocument,
} from './reviews.model.ts';
import { reviewIdOf } from './reviews.store.ts';

export const REVIEWS: KeysetList = {
  name: 'reviews',
  order: [
    ['reviewedAt', -1],
    ['_id', -1],
  ],
  invalidCursor: 'INVALID_FILTER',
};

export const REVIEW_DAYS: KeysetList = {
  name: 'review days',
  order: [['day', -1]],
  invalidCursor: 'INVALID_FILTER',
};

const NO_USAGE = { reviewed: 0, calls: 0, tokens: 0 };

/** Conversations whose failure rate is estimated. */
export interface RateWindow {
  startMs: number;
  endMs: number;
  agent?: string | undefined;
}

/** Day with the cost of its reviews. */
export type CostedDay = ReviewDayDocument & typeof NO_USAGE;

/** Reads reviews that were made. */
export interface ReviewRecordStore {
  of(projectId: string, conversationId: string): Promise<ReviewDocument | undefined>;
  /** Reads the reviews of some conversations, by conversation. */
  ofMany(projectId: string, conversationIds: readonly string[]): Promise<ReadonlyMap<string, ReviewDocument>>;
  list(projectId: string, slice: SliceRequest): Promise<Slice<ReviewDocument>>;
  days(projectId: string, slice: SliceRequest): Promise<Slice<CostedDay>>;
  /** Sums over the conversations that were drawn at random, and the model that read the latest. */
  random(projectId: string, window: RateWindow): Promise<RandomReviews & { model: string | null }>;
}

/** Probability of failure from which a conversation counts as failed. */
export const FAILED_FROM = 0.5;

export function createReviewRecordStore({ connection }: Pick<Database, 'connection'>): ReviewRecordStore {
  const reviews = reviewCollection(connection);
  const reviewDays = reviewDayCollection(connection);
  const usages = reviewUsageCollection(connection);
  return {
    async of(projectId, conversationId) {
      const _id = reviewIdOf(projectId, conversationId);
      return (await reviews.findOne({ _id, projectId, reviewedAt: { $gt: 0 } })) ?? undefined;
    },
    async ofMany(projectId, conversationIds) {
      const ids = conversationIds.map((id) => reviewIdOf(projectId, id));
      const found = await reviews.find({ _id: { $in: ids }, projectId, reviewedAt: { $gt: 0 } }).toArray();
      return new Map(found.map((review) => [review.conversationId, review]));
    },
    list: (projectId, slice) =>
      readSlice(reviews, REVIEWS.order, { filter: { projectId, reviewedAt: { $gt: 0 } }, ...slice }, (each) => each),
    async days(projectId, slice) {
      const found = await readSlice(reviewDays, REVIEW_DAYS.order, { filter: { projectId }, ...slice }, (each) => each);
      const ids = found.items.map(({ _id }) => _id);
      const usage = await usages.find({ _id: { $in: ids }, projectId }).toArray();
      const usageOf = new Map(usage.map(({ _id, reviewed, calls, tokens }) => [_id, { reviewed, calls, tokens }]));
      return { ...found, items: found.items.map((day) => ({ ...day, ...(usageOf.get(day._id) ?? NO_USAGE) })) };
    },
    async random(projectId, { startMs, endMs, agent }) {
      const weight = { $divide: [1, '$inclusion'] };
      const hasFailed = { $gte: ['$result.failureProbability', FAILED_FROM] };
      const [sums] = await reviews
        .aggregate<RandomReviews & { model: { model: string } }>([
          {
            $match: {
              ...{ projectId, inclusion: { $gt: 0 }, startedAt: { $gte: startMs, $lt: endMs } },
              ...(agent === undefined ? {} : { agents: agent }),
            },
          },
          {
            $group: {
              _id: null,
              count: { $sum: 1 },
              weights: { $sum: weight },
              squaredWeights: { $sum: { $pow: [weight, 2] } },
              failedWeights: { $sum: { $cond: [hasFailed, weight, 0] } },
              model: { $max: { reviewedAt: '$reviewedAt', model: '$result.model' } },
            },
          },
        ])
        .toArray();
      if (sums === undefined) return { count: 0, weights: 0, squaredWeights: 0, failedWeights: 0, model: null };
      return { ...sums, model: sums.model.model };
    },
  };
}
