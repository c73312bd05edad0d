import type { Database, Transaction } from '@clew/persistence';
import { NEGATIVE_SCORE } from '@clew/rules';
import { isNewDiagnosis } from '../results/diagnosis.ts';
import { conversationKey } from '../results/result-state.ts';
import type { TakenResults } from '../results/results.service.ts';
import type { ReviewDayStore } from './review-days.store.ts';
import type { ReviewPlan } from './reviewers.ts';
import type { ReviewStore, WantedReview } from './reviews.store.ts';
import { chooseForReview, type ReviewCandidate } from './sampling.ts';

export interface QueueReviewsDependencies {
  database: Pick<Database, 'afterCommit'>;
  reviews: Pick<ReviewStore, 'want' | 'snapshotsOf'>;
  days: ReviewDayStore;
  /** Wakes the loop that asks reviewers. */
  wake(): void;
}

type Analysed = ReviewCandidate & Pick<WantedReview, 'projectId' | 'snapshotId' | 'requestId'>;

/** Quiet time in milliseconds before a conversation that goes on is read again. */
const QUIET_MS = 10 * 60_000;

/**
 * Chooses conversations for review once all their Rules have run, in the transaction of the results. A conversation that
 * was chosen before is read again when it has been quiet for a while.
 */
export function createQueueReviews({ database, reviews, days, wake }: QueueReviewsDependencies) {
  async function queue(
    tx: Transaction,
    projectId: string,
    analysed: readonly Analysed[],
    { mode, dailyReviews }: ReviewPlan,
    nowMs: number,
  ): Promise<void> {
    const names = analysed.map(({ conversationId }) => conversationId);
    const chosenBefore = await reviews.snapshotsOf(tx, projectId, names);
    const { today, yesterday } = await days.load(tx, projectId, nowMs);
    let counts = today;
    const wanted: WantedReview[] = [];
    for (const each of analysed) {
      const chosenSnapshot = chosenBefore.get(each.conversationId);
      // Rules ran again on a snapshot that is read already, or will be.
      if (chosenSnapshot === each.snapshotId) continue;
      const isChosen = chosenSnapshot !== undefined;
      const dueAt = isChosen ? nowMs + QUIET_MS : nowMs;
      if (mode === 'all') {
        counts = { ...counts, ready: counts.ready + 1 };
        wanted.push({ ...each, chosenBy: 'all', inclusion: 1, dueAt });
        continue;
      }
      const { choice, counts: next } = chooseForReview(each, { today: counts, yesterday, dailyReviews });
      counts = next;
      const inclusion = choice?.by === 'random' ? choice.inclusion : null;
      if (choice !== undefined || isChosen) wanted.push({ ...each, chosenBy: choice?.by ?? 'score', inclusion, dueAt });
    }
    await reviews.want(tx, wanted);
    await days.saveCounts(tx, projectId, counts, nowMs);
    if (wanted.length > 0) database.afterCommit(tx, wake);
  }

  return async (tx: Transaction, results: TakenResults, plans: ReadonlyMap<string, ReviewPlan>): Promise<void> => {
    for (const [projectId, analysed] of Map.groupBy(analysedOf(results), (each) => each.projectId)) {
      const plan = plans.get(projectId);
      if (plan !== undefined && plan.mode !== 'off') await queue(tx, projectId, analysed, plan, results.nowMs);
    }
  };
}

/** Whole conversations of which all Rules have ended with this batch. */
function analysedOf({ taken, after, ended }: TakenResults): Analysed[] {
  const whole = new Map(
    taken.flatMap((result) =>
      result.snapshot?.scope === 'conversation' ? [[result.snapshotId, result] as const] : [],
    ),
  );
  return ended.flatMap(({ projectId, snapshot: { conversationId, snapshotId, analysed } }) => {
    const result = whole.get(snapshotId);
    if (!analysed || result === undefined) return [];
    const known = after.conversations.get(conversationKey(projectId, conversationId))?.diagnosis;
    const diagnosis = result.diagnosis ?? (known !== undefined && isNewDiagnosis(known) ? known : undefined);
    const found = result.runs.flatMap(({ outcome }) => (outcome.status === 'succeeded' ? outcome.detections : []));
    return [
      {
        ...{ projectId, conversationId, snapshotId, requestId: result.requestId },
        score: diagnosis?.score ?? 0,
        isNegative: found.some(({ ruleKey }) => ruleKey === NEGATIVE_SCORE),
      },
    ];
  });
}
