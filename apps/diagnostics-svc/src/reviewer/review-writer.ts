import type { Detection, ReviewedProblem, RuleConfiguration } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import {
  analysedEvents,
  analysisIdOf,
  endedBy,
  withFound,
  type Analyses,
  type AnalysisStore,
} from '../analyses/index.ts';
import { rootIdOf, type HeadOf } from '../findings/clusters/cluster.ts';
import { homeFindingIdOf } from '../findings/clusters/home-finding.ts';
import { occurrenceCollection } from '../findings/finding.model.ts';
import type { EvaluatedSnapshot, Occurrence } from '../findings/occurrence.ts';
import type { AnalysisResult } from '../results/analysis-result.ts';
import { applyResults } from '../results/apply-results.ts';
import { withId } from '../results/result-documents.ts';
import { conversationKey } from '../results/result-state.ts';
import type { ResultStore } from '../results/results.store.ts';
import { foundBy } from '../results/run-ends.ts';
import { createStateWriter } from '../results/state-writer.ts';
import { headOfState } from '../results/with-clusters.ts';
import type { ComparisonStore } from './comparisons/index.ts';
import { detectionsOf, wantedProblems, type ReviewSource } from './detections.ts';
import { splitByRules, withJoined, type JoinedProblem } from './join-rules.ts';
import type { ProblemClusterStore } from './problem-clusters.store.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';

/** Review of a snapshot as it is written. */
export interface WrittenReview extends ReviewSource {
  conversationId: string;
  snapshot: EvaluatedSnapshot;
  requestId: string | null;
  /** Message that brought it. */
  causeId: string;
  problems: readonly ReviewedProblem[];
  configuration: Pick<RuleConfiguration, 'signalOverrides'>;
}

export interface ReviewWriterDependencies {
  database: Database;
  results: ResultStore;
  analyses: AnalysisStore;
  clusters: ProblemClusterStore;
  comparisons: Pick<ComparisonStore, 'want'>;
  outbox: Outbox;
  clock: Clock;
}

/** Snapshot of a conversation. */
type Target = Pick<WrittenReview, 'projectId' | 'conversationId'> & { snapshotId: string };

/** Writes reviews in the same way as results of Rules. */
export interface ReviewWriter {
  /** Occurrences of Rules that the snapshots of one project show, by snapshot. */
  shownBy(tx: Transaction, targets: readonly Target[]): Promise<ReadonlyMap<string, readonly Occurrence[]>>;
  /** Writes reviews of different conversations of one project; the number of operations grows with their problems only. */
  write(tx: Transaction, reviews: readonly WrittenReview[]): Promise<void>;
}

const { ruleId } = CONVERSATION_REVIEW;
/** Wait after a new kind of problems for others: kinds that come together are compared in one call. */
const COMPARED_AFTER_MS = 60_000;

export function createReviewWriter(dependencies: ReviewWriterDependencies): ReviewWriter {
  const { database, results, analyses, clusters, comparisons, outbox, clock } = dependencies;
  const writer = createStateWriter(results);

  async function shownBy(tx: Transaction, targets: readonly Target[]) {
    const [first] = targets;
    if (first === undefined) return new Map<string, Occurrence[]>();
    const filter = {
      projectId: first.projectId,
      conversationId: { $in: targets.map(({ conversationId }) => conversationId) },
      snapshotId: { $in: targets.map(({ snapshotId }) => snapshotId) },
      ruleId: { $ne: ruleId },
    };
    const found = await occurrenceCollection(database).find(filter, { session: tx }).toArray();
    return Map.groupBy(found.map(withId), ({ snapshotId }) => snapshotId);
  }

  /** Splits the problems of reviews into those of Rules and their own, and clusters the latter. */
  async function understood(
    tx: Transaction,
    reviews: readonly WrittenReview[],
    shown: ReadonlyMap<string, readonly Occurrence[]>,
    nowMs: number,
  ): Promise<Understood[]> {
    const [first] = reviews;
    if (first === undefined) return [];
    const split = reviews.map((review) => {
      const problems = wantedProblems(review.problems, review.configuration);
      return { review, ...splitByRules(problems, shown.get(review.snapshot.snapshotId) ?? []) };
    });
    const own = split.flatMap((each) => each.own);
    const loaded = await clusters.load(tx, first.projectId, own, nowMs);
    const all = split.map(({ review, joined, own: problems }): Understood => {
      const clustered = problems.map((problem) => ({
        problem,
        cluster: loaded.assign(review.conversationId, problem),
      }));
      return { review, joined, detections: detectionsOf(clustered, review, review.configuration) };
    });
    const agents = await loaded.save();
    await comparisons.want(tx, first.projectId, agents, nowMs + COMPARED_AFTER_MS);
    return all;
  }

  return {
    shownBy,
    async write(tx, reviews) {
      if (reviews.length === 0) return;
      const nowMs = clock.now();
      const shown = await shownBy(tx, reviews.map(targetOf));
      const all = await understood(tx, reviews, shown, nowMs);
      const taken = all.map(resultOf);
      const projectIds = taken.map(({ projectId }) => projectId);
      const before = await results.load(tx, taken, await results.exposures.awaiting(tx, projectIds));
      const joined = all.reduce((state, { joined: some, review }) => withJoined(state, some, review), before);
      const applied = applyResults(joined, taken, nowMs);
      const requestIds = new Map(
        reviews.map(({ projectId, conversationId, requestId }) => [
          conversationKey(projectId, conversationId),
          requestId,
        ]),
      );
      const { after, messages } = await writer.write(tx, { before, applied, requestIds, nowMs, evaluated: taken });
      const known = await analyses.load(tx, reviews.map(targetOf));
      const changed = withReviews(known, all, headOfState(after));
      await analyses.save(tx, known, changed);
      const causes = reviews.map(({ causeId }) => causeId);
      await outbox.appendMany(tx, [...messages, ...analysedEvents(endedBy(known, changed), causes, nowMs)]);
    },
  };
}

/** Review with what its problems became. */
interface Understood {
  review: WrittenReview;
  joined: readonly JoinedProblem[];
  detections: Detection[];
}

function targetOf({ projectId, conversationId, snapshot: { snapshotId } }: WrittenReview): Target {
  return { projectId, conversationId, snapshotId };
}

function resultOf({ review, detections }: Understood): AnalysisResult {
  const { requestId, snapshot } = review;
  return {
    ...{ ...targetOf(review), requestId, snapshot },
    runs: [{ rule: { ruleId }, outcome: { status: 'succeeded', detections } }],
  };
}

/** Analyses with the findings of the reviews. */
function withReviews(known: Analyses, all: readonly Understood[], headOf: HeadOf): Analyses {
  const changed = new Map(known);
  for (const { review, detections } of all) {
    const target = targetOf(review);
    const analysis = changed.get(analysisIdOf(target));
    if (analysis === undefined) continue;
    const found = detections.map((detection) => ({
      detection,
      findingId: rootIdOf(homeFindingIdOf(target, detection, headOf), headOf),
    }));
    changed.set(analysis.id, withFound(analysis, ruleId, foundBy(ruleId, found)));
  }
  return changed;
}
