import { createHash } from 'node:crypto';

/** Counts of one project and day (UTC), by which conversations are chosen for review. */
export interface DayCounts {
  /** Conversations that became ready, each time that they did. */
  ready: number;
  /** Those drawn at random, and those chosen by their score. */
  random: number;
  byScore: number;
  /** Ready conversations by score, in `SCORE_BUCKETS` equal steps. */
  scores: readonly number[];
}

export const SCORE_BUCKETS = 20;
export const NO_COUNTS: DayCounts = { ready: 0, random: 0, byScore: 0, scores: [] };

/** Room that is left for chance where the day's share is used up, so that no conversation has no chance at all. */
const LEAST_ROOM = 0.5;
/** Score below which a conversation is not worth a review for its score alone. */
const MIN_SCORE = 0.5;

/** Conversation that is considered for a review. */
export interface ReviewCandidate {
  conversationId: string;
  /** How likely it failed, as the Rules say. */
  score: number;
  /** Whether a person or an evaluator scored it badly. */
  isNegative: boolean;
}

export type Choice = { by: 'random'; inclusion: number } | { by: 'score' };

export interface Chosen {
  choice: Choice | undefined;
  counts: DayCounts;
}

/**
 * Decides on one conversation, and counts it. Half of the day's reviews are drawn at random, by a hash of the id and
 * with a known probability (Poisson sampling), so that a share can be estimated without bias. The other half goes to
 * negative scores first, then to the highest scores. How many conversations are still to come is expected from the day
 * before.
 */
export function chooseForReview(
  candidate: ReviewCandidate,
  { today, yesterday, dailyReviews }: { today: DayCounts; yesterday: DayCounts; dailyReviews: number },
): Chosen {
  const toCome = Math.max(yesterday.ready - today.ready, today.ready / 2, 1);
  const inclusion = Math.min(1, roomFor(today.random, dailyReviews) / toCome);
  const choice = choiceOf(candidate, { today, yesterday, dailyReviews, toCome, inclusion });
  return { choice, counts: counted(today, candidate, choice) };
}

function choiceOf(
  candidate: ReviewCandidate,
  context: { today: DayCounts; yesterday: DayCounts; dailyReviews: number; toCome: number; inclusion: number },
): Choice | undefined {
  const { today, yesterday, dailyReviews, toCome, inclusion } = context;
  if (dailyReviews === 0) return undefined;
  if (drawOf(candidate.conversationId) < inclusion) return { by: 'random', inclusion };
  const room = dailyReviews / 2 - today.byScore;
  if (room < 1) return undefined;
  if (candidate.isNegative) return { by: 'score' };
  if (candidate.score < MIN_SCORE) return undefined;
  return shareAbove([today, yesterday], candidate.score) < room / toCome ? { by: 'score' } : undefined;
}

function roomFor(used: number, dailyReviews: number): number {
  return dailyReviews === 0 ? 0 : Math.max(dailyReviews / 2 - used, LEAST_ROOM);
}

/** Number from 0 to below 1 that depends on the id alone, so that a repeated decision draws the same. */
export function drawOf(conversationId: string): number {
  return createHash('sha256').update(`review:${conversationId}`).digest().readUInt32BE() / 2 ** 32;
}

/** Share of the counted conversations with a higher score. */
function shareAbove(days: readonly DayCounts[], score: number): number {
  const bucket = bucketOf(score);
  let [above, all] = [0, 0];
  for (const { scores } of days) {
    for (const [at, count] of scores.entries()) {
      all += count;
      if (at > bucket) above += count;
    }
  }
  return all === 0 ? 0 : above / all;
}

function bucketOf(score: number): number {
  return Math.min(SCORE_BUCKETS - 1, Math.max(0, Math.floor(score * SCORE_BUCKETS)));
}

function counted(counts: DayCounts, { score }: ReviewCandidate, choice: Choice | undefined): DayCounts {
  const scores = Array.from({ length: SCORE_BUCKETS }, (_, at) => counts.scores[at] ?? 0);
  const bucket = bucketOf(score);
  scores[bucket] = (scores[bucket] ?? 0) + 1;
  return {
    ready: counts.ready + 1,
    random: counts.random + (choice?.by === 'random' ? 1 : 0),
    byScore: counts.byScore + (choice?.by === 'score' ? 1 : 0),
    scores,
  };
}
