import type { ReviewedProblem, RuleConfiguration } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import { analysedEvents, analysisIdOf, endedBy, withFound, type AnalysisStore } from '../analyses/index.ts';
import { rootIdOf } from '../findings/clusters/cluster.ts';
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
import { detectionsOf, wantedProblems, type ReviewSource } from './detections.ts';
import { splitByRules, withJoined } from './join-rules.ts';
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
  outbox: Outbox;
  clock: Clock;
}

/** Snapshot of a conversation. */
type Target = Pick<WrittenReview, 'projectId' | 'conversationId'> & { snapshotId: string };

/** Writes reviews in the same way as results of Rules. */
export interface ReviewWriter {
  /** Occurrences of Rules that the snapshot shows. */
  shownBy(tx: Transaction, target: Target): Promise<Occurrence[]>;
  write(tx: Transaction, review: WrittenReview): Promise<void>;
}

export function createReviewWriter(dependencies: ReviewWriterDependencies): ReviewWriter {
  const { database, results, analyses, clusters, outbox, clock } = dependencies;
  const writer = createStateWriter(results);
  const { ruleId } = CONVERSATION_REVIEW;

  async function shownBy(tx: Transaction, { projectId, conversationId, snapshotId }: Target): Promise<Occurrence[]> {
    const filter = { projectId, conversationId, snapshotId, ruleId: { $ne: ruleId } };
    return (await occurrenceCollection(database).find(filter, { session: tx }).toArray()).map(withId);
  }

  return {
    shownBy,
    async write(tx, review) {
      const { projectId, conversationId, snapshot, requestId, configuration } = review;
      const nowMs = clock.now();
      const target = { projectId, conversationId, snapshotId: snapshot.snapshotId };
      const problems = wantedProblems(review.problems, configuration);
      const { joined, own } = splitByRules(problems, await shownBy(tx, target));
      const assigned = await clusters.assign(tx, target, own, nowMs);
      const clustered = own.flatMap((problem, at) => {
        const cluster = assigned[at];
        return cluster === undefined ? [] : [{ problem, cluster }];
      });
      const detections = detectionsOf(clustered, review, configuration);
      const result: AnalysisResult = {
        ...{ ...target, requestId, snapshot },
        runs: [{ rule: { ruleId }, outcome: { status: 'succeeded', detections } }],
      };
      const before = await results.load(tx, [result]);
      const applied = applyResults(withJoined(before, joined, review), [result], nowMs);
      const requestIds = new Map([[conversationKey(projectId, conversationId), requestId]]);
      const { after, messages } = await writer.write(tx, { before, applied, requestIds, nowMs });
      const known = await analyses.load(tx, [target]);
      const analysis = known.get(analysisIdOf(target));
      const headOf = headOfState(after);
      const found = detections.map((detection) => ({
        detection,
        findingId: rootIdOf(homeFindingIdOf(target, detection, headOf), headOf),
      }));
      const changed =
        analysis === undefined ? known : new Map([[analysis.id, withFound(analysis, ruleId, foundBy(ruleId, found))]]);
      await analyses.save(tx, known, changed);
      await outbox.appendMany(tx, [...messages, ...analysedEvents(endedBy(known, changed), [review.causeId], nowMs)]);
    },
  };
}
