import type { ErasedBatch } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { eraseLettersOf, queuesSweptBy, sweepDeadLetters, type Broker } from '@clew/messaging';
import {
  eraseReplies,
  nativeDb,
  type Database,
  type Outbox,
  type Tombstones,
  type Transaction,
} from '@clew/persistence';
import { adjudicationCollection, verdictCollection } from '../adjudication/index.ts';
import { analysisCollection } from '../analyses/index.ts';
import { activityModel } from '../findings/activity/index.ts';
import { findingCollection, occurrenceCollection, type FindingDocument } from '../findings/finding.model.ts';
import { findingTaskCollection } from '../findings/tasks/index.ts';
import { wordsOf } from '../findings/listing/index.ts';
import { changeSeries, countedOf, OF_SERIES, rowChanges } from '../findings/series/index.ts';
import { exposureCollection, issueNoteCollection } from '../findings/verification/index.ts';
import { workItemCollection } from '../work-items/index.ts';
import { conversationCollection } from '../results/conversation.model.ts';
import { createEraseProblems, reviewCollection } from '../reviewer/index.ts';
import { conversationKey } from '../results/result-state.ts';
import type { ResultStore } from '../results/results.store.ts';
import { createReviewOccurrences } from '../results/review-occurrences.ts';

export interface EraseFindingsDependencies {
  database: Database;
  results: ResultStore;
  outbox: Outbox;
  tombstones: Tombstones;
  broker: Broker;
  clock: Clock;
  /** Removes deliveries of webhooks that quote the conversation; resolves with their number. */
  eraseDeliveries(projectId: string, conversationId: string): Promise<number>;
}

/** Removes a batch of the findings in a conversation, and everything that quotes it. Safe to repeat. */
export type EraseFindings = (conversation: { projectId: string; conversationId: string }) => Promise<ErasedBatch>;

const OCCURRENCES_AT_A_TIME = 500;
const FINDINGS_AT_A_TIME = 200;

export function createEraseFindings(dependencies: EraseFindingsDependencies): EraseFindings {
  const { database, tombstones, broker, clock } = dependencies;
  const { connection } = database;
  const occurrences = occurrenceCollection(database);
  const findings = findingCollection(database);
  const activities = nativeDb(connection).collection(activityModel(connection).collection.name);
  const review = createReviewOccurrences(dependencies);
  const eraseProblems = createEraseProblems(database);

  /**
   * Withdraws occurrences as if a later snapshot showed none. The counts and descriptions of Findings then come from
   * other conversations.
   */
  async function withdraw(tx: Transaction, projectId: string, conversationId: string): Promise<number> {
    const shown = await occurrences
      .find({ projectId, conversationId }, { session: tx, projection: { _id: 1 }, limit: OCCURRENCES_AT_A_TIME })
      .toArray();
    if (shown.length === 0) return 0;
    const verdicts = new Map(shown.map(({ _id }) => [_id, { detection: undefined }]));
    await review(tx, { projectId, conversationIds: [conversationId], verdicts, nowMs: clock.now() });
    // Also deletes occurrences that no record of a conversation counts any more, which the review leaves.
    const left = { _id: { $in: [...verdicts.keys()] } };
    const counted = await occurrences
      .find({ ...left, counted: true }, { session: tx, projection: OF_SERIES })
      .toArray();
    await changeSeries(database, tx, rowChanges([], counted.map(countedOf)));
    await occurrences.deleteMany(left, { session: tx });
    return shown.length;
  }

  /** Removes Findings that are still described by the conversation, because no other conversation shows them. */
  async function removeFindings(tx: Transaction, projectId: string, conversationId: string): Promise<string[]> {
    const described = await findings
      .find(
        { projectId, 'anchor.conversationId': conversationId },
        { session: tx, projection: WHAT_TIES, limit: FINDINGS_AT_A_TIME },
      )
      .toArray();
    const [tied, free] = [described.filter(isTied), described.filter((finding) => !isTied(finding))];
    const freeIds = free.map(({ _id }) => _id);
    await findings.deleteMany({ _id: { $in: freeIds } }, { session: tx });
    await activities.deleteMany({ projectId, findingId: { $in: freeIds } }, { session: tx });
    const ofThem = { projectId, findingId: { $in: freeIds } };
    await findingTaskCollection(connection).deleteMany(ofThem, { session: tx });
    // Their issues stay at the provider: they belong to whoever runs it.
    await workItemCollection(connection).deleteMany(ofThem, { session: tx });
    await exposureCollection(connection).deleteMany(ofThem, { session: tx });
    await issueNoteCollection(connection).deleteMany(ofThem, { session: tx });
    const tiedIds = tied.map(({ _id }) => _id);
    await findings.updateMany({ _id: { $in: tiedIds } }, { $set: WORDLESS, $inc: { sequence: 1 } }, { session: tx });
    return [...freeIds, ...tiedIds];
  }

  return async ({ projectId, conversationId }) => {
    await tombstones.set(projectId, [conversationId]);
    const of = { projectId, conversationId };
    // Dead letters go first: while the broker is away, nothing is removed that would not be counted.
    const deadLetters = await sweepDeadLetters(broker, queuesSweptBy('diagnostics-svc'), eraseLettersOf(of));
    // Before its occurrences go, which tell the clusters that have its words.
    const problemClusters = await eraseProblems(of);
    const [withdrawn, gone] = await database.withTransaction(async (tx) => [
      await withdraw(tx, projectId, conversationId),
      await removeFindings(tx, projectId, conversationId),
    ]);
    const analysed = await conversationCollection(database).deleteOne({
      _id: conversationKey(projectId, conversationId),
    });
    const analyses = await analysisCollection(connection).deleteMany(of);
    const adjudications = await adjudicationCollection(connection).deleteMany(of);
    const verdicts = await verdictCollection(connection).deleteMany(of);
    const reviews = await reviewCollection(connection).deleteMany(of);
    await issueNoteCollection(connection).deleteMany({ projectId, 'news.conversationId': conversationId });
    const deliveries = await dependencies.eraseDeliveries(projectId, conversationId);
    const replies = await eraseReplies(database, projectId, [conversationId, ...gone]);
    const removed = {
      ...{ occurrences: withdrawn, findings: gone.length, diagnoses: analysed.deletedCount },
      ...{ analyses: analyses.deletedCount, adjudications: adjudications.deletedCount },
      ...{
        verdicts: verdicts.deletedCount,
        reviews: reviews.deletedCount,
        problemClusters,
        deadLetters,
        deliveries,
        replies,
      },
    };
    return { removed, done: withdrawn < OCCURRENCES_AT_A_TIME && gone.length < FINDINGS_AT_A_TIME };
  };
}

const WHAT_TIES = { memberIds: 1, mergedInto: 1, splitFrom: 1, splits: 1, occurrenceCount: 1 } as const;

/** Whether other Findings refer to it or conversations count for it; such a Finding stays, without its text. */
function isTied(finding: Pick<FindingDocument, keyof typeof WHAT_TIES>): boolean {
  const { memberIds, mergedInto, splitFrom, splits, occurrenceCount } = finding;
  return occurrenceCount > 0 || [memberIds, mergedInto, splitFrom, splits].some((each) => each !== undefined);
}

const ERASED_TITLE = 'Erased';
const WORDLESS = {
  ...{ title: ERASED_TITLE, titleWords: wordsOf(ERASED_TITLE), summary: '', causeAssessment: '', remediationHint: '' },
  ...{ evidence: [], 'anchor.conversationId': ERASED_TITLE },
};
