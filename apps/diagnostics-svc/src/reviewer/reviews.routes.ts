import { getFailureRate, listReviewDays, listReviews, type Review, type ReviewDay } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { page, type CursorCodec } from '@clew/kernel';
import type { Reviewer } from './create-reviewer.ts';
import { failureRateOf } from './failure-rate.ts';
import { REVIEW_DAYS, REVIEWS, type CostedDay, type ReviewRecordStore } from './review-records.store.ts';
import type { ReviewDocument } from './reviews.model.ts';

const DAY_MS = 24 * 3_600_000;

export interface ReviewRoutesDependencies {
  records: ReviewRecordStore;
  waitingOf: Reviewer['waitingOf'];
  cursors: CursorCodec;
}

export function reviewRoutes({ records, waitingOf, cursors }: ReviewRoutesDependencies): Route[] {
  return [
    route(listReviews, async ({ params: { projectId }, query }) => {
      const { items, nextCursor } = await page(cursors, REVIEWS, { projectId, ...query }, (slice) =>
        records.list(projectId, slice),
      );
      const waiting = await waitingOf(projectId, {});
      return answer(200, { reviews: items.flatMap(reviewOf), nextCursor, ...(waiting && { waiting }) });
    }),
    route(listReviewDays, async ({ params: { projectId }, query }) => {
      const { items, nextCursor } = await page(cursors, REVIEW_DAYS, { projectId, ...query }, (slice) =>
        records.days(projectId, slice),
      );
      return answer(200, { days: items.map(dayOf), nextCursor });
    }),
    route(getFailureRate, async ({ params: { projectId }, query }) => {
      const { model, ...sums } = await records.random(projectId, query);
      return answer(200, { ...failureRateOf(sums), reviewed: sums.count, of: Math.round(sums.weights), model });
    }),
  ];
}

function reviewOf({ conversationId, chosenBy, result, reviewedAt }: ReviewDocument): Review[] {
  if (result === undefined || reviewedAt === undefined) return [];
  const { snapshotId, wanted, verdict, failureProbability, problemCount, dropped, refuted, model, calls, tokens } =
    result;
  return [
    {
      ...{ conversationId, snapshotId, chosenBy, wanted, verdict, failureProbability, problemCount },
      ...{ droppedCount: dropped + refuted, model, calls, tokens, reviewedAt },
    },
  ];
}

function dayOf({ day, ready, reviewed, calls, tokens }: CostedDay): ReviewDay {
  return { day: new Date(day * DAY_MS).toISOString().slice(0, 10), ready, reviewed, calls, tokens };
}
