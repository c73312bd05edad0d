import type { Database, Transaction } from '@clew/persistence';
import { createActivityStore, type Activity } from '../findings/activity/index.ts';
import { shownHead } from '../findings/clusters/cluster.ts';
import { createClusterStore } from '../findings/clusters/clusters.store.ts';
import { candidateIdsOf } from '../findings/clusters/home-finding.ts';
import type { FindingHead, WorstOccurrence } from '../findings/finding.ts';
import { firstStepOf, type Places } from '../findings/occurrence.ts';
import {
  createExposureStore,
  createIssueNoteStore,
  type ExposureStore,
  type IssueNoteStore,
} from '../findings/verification/index.ts';
import {
  findingCollection,
  occurrenceCollection,
  occurrenceModel,
  OCCURRENCE_HEAD,
  type OccurrenceDocument,
} from '../findings/finding.model.ts';
import { changeSeries } from '../findings/series/index.ts';
import type { AnalysisResult } from './analysis-result.ts';
import { conversationKey, type ResultState } from './result-state.ts';
import { conversationCollection } from './conversation.model.ts';
import {
  conversationWrite,
  findingWrite,
  occurrenceWrites,
  resultStateOf,
  withId,
  WITHOUT_SUSPECTS,
  type ConversationHeadDocument,
  type OccurrenceHeadDocument,
  type PlacedHeadDocument,
} from './result-documents.ts';
import { seriesChanges } from './series-changes.ts';
import { headOfState } from './with-clusters.ts';

/** Conversation and Rules that a result touches. */
export type ResultTarget = Pick<AnalysisResult, 'projectId' | 'conversationId' | 'runs'>;

/** Loads and saves the state that a batch of results touches; the number of operations does not grow with the batch. */
export interface ResultStore {
  /** Reads also the Findings with further ids. */
  load(tx: Transaction, results: readonly ResultTarget[], furtherIds?: readonly string[]): Promise<ResultState>;
  saveConversations(tx: Transaction, before: ResultState, after: ResultState): Promise<void>;
  saveFindings(tx: Transaction, before: ResultState, after: ResultState): Promise<void>;
  /** Counts the occurrences that came and went in the rows of their hours and days. */
  saveSeries(tx: Transaction, before: ResultState, after: ResultState): Promise<void>;
  readonly exposures: ExposureStore;
  readonly issueNotes: IssueNoteStore;
  addActivities(tx: Transaction, activities: readonly Activity[]): Promise<void>;
  /** Reads the worst occurrence of each Finding, and the highest score, with two queries per project. */
  worstOccurrences(tx: Transaction, findings: readonly FindingHead[]): Promise<WorstOccurrence[]>;
}

export function createResultStore(database: Database): ResultStore {
  const clusters = createClusterStore(database);
  const occurrences = occurrenceModel(database.connection);
  const activities = createActivityStore(database);

  return {
    async load(tx, results, furtherIds = []) {
      const projectIds = distinct(results.map((result) => result.projectId));
      const projectId = { $in: projectIds };
      const keys = results.map((result) => conversationKey(result.projectId, result.conversationId));
      const analysed = await conversationCollection(database)
        .find({ projectId, _id: { $in: distinct(keys) } }, { session: tx, projection: WITHOUT_SUSPECTS })
        .toArray();
      const shown = await shownBy(
        tx,
        analysed.filter(({ findingCount }) => findingCount > 0),
      );
      const detectedIds = results.flatMap(detectedFindingIds);
      const findingIds = [...shown.map(({ findingId }) => findingId), ...detectedIds, ...furtherIds];
      const heads = await clusters.heads(tx, { projectIds, findingIds });
      return resultStateOf(analysed, shown, heads);
    },

    async saveConversations(tx, before, after) {
      const changed = changedEntries(before.conversations, after.conversations);
      if (changed.length === 0) return;
      await conversationCollection(database).bulkWrite(
        changed.map(([, conversation]) => conversationWrite(conversation)),
        { session: tx },
      );
      const writes = changed.flatMap(([key, after]) => occurrenceWrites(before.conversations.get(key), after));
      if (writes.length > 0) await occurrenceCollection(database).bulkWrite(writes, { session: tx, ordered: false });
    },

    async saveFindings(tx, before, after) {
      const writes = changedEntries(before.findings, after.findings).map(([, finding]) =>
        findingWrite(finding, shownHead(finding.head, headOfState(after))),
      );
      if (writes.length > 0) await findingCollection(database).bulkWrite(writes, { session: tx });
    },

    saveSeries: (tx, before, after) => changeSeries(database, tx, seriesChanges(before, after)),

    exposures: createExposureStore(database),
    issueNotes: createIssueNoteStore(database),

    addActivities: (tx, added) => activities.add(tx, added),

    async worstOccurrences(tx, heads) {
      const worst: WorstOccurrence[] = [];
      for (const [projectId, ofProject] of Map.groupBy(heads, (head) => head.projectId)) {
        const findingIds = ofProject.map(({ id }) => id);
        const rows = await worstOfFindings(occurrences, projectId, findingIds).session(tx);
        const highest = await highestOfFindings(occurrences, projectId, findingIds).session(tx);
        const scores = new Map(highest.map(({ _id, score }) => [_id, score]));
        worst.push(
          ...rows.map(({ _id, worst: document }) => {
            const occurrence = withId(document);
            return { occurrence, highestScore: scores.get(_id) ?? occurrence.diagnosticScore };
          }),
        );
      }
      return worst;
    },
  };

  /** Occurrences of conversations that show Findings. Most batches have no such conversation, and need no read. */
  async function shownBy(tx: Transaction, showing: readonly ConversationHeadDocument[]): Promise<PlacedHeadDocument[]> {
    if (showing.length === 0) return [];
    const found = await occurrences
      .find({ $or: conversationsByProject(showing) }, OCCURRENCE_HEAD)
      .session(tx)
      .lean<(OccurrenceHeadDocument & { detection: Places })[]>();
    return found.map(({ detection, ...head }) => ({ ...head, firstStep: firstStepOf(detection) }));
  }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function conversationsByProject(conversations: readonly ConversationHeadDocument[]) {
  const byProject = Map.groupBy(conversations, ({ projectId }) => projectId);
  return [...byProject].map(([projectId, ofProject]) => ({
    projectId,
    conversationId: { $in: ofProject.map(({ conversationId }) => conversationId) },
  }));
}

function detectedFindingIds({ projectId, runs }: ResultTarget): string[] {
  return runs.flatMap(({ outcome }) =>
    outcome.status === 'succeeded'
      ? outcome.detections.flatMap((detection) => candidateIdsOf(projectId, detection))
      : [],
  );
}

function changedEntries<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): [string, Value][] {
  return [...after].filter(([key, value]) => before.get(key) !== value);
}

type Occurrences = ReturnType<typeof occurrenceModel>;

/** Uses an index that skips from Finding to Finding, so that one document of each is read. */
function worstOfFindings(occurrences: Occurrences, projectId: string, findingIds: readonly string[]) {
  return occurrences.aggregate<{ _id: string; worst: OccurrenceDocument }>([
    { $match: { projectId, findingId: { $in: findingIds } } },
    { $sort: { findingId: 1, severityRank: 1, diagnosticScore: -1, firstDetectedAt: 1, _id: 1 } },
    { $group: { _id: '$findingId', worst: { $first: '$$ROOT' } } },
  ]);
}

function highestOfFindings(occurrences: Occurrences, projectId: string, findingIds: readonly string[]) {
  return occurrences.aggregate<{ _id: string; score: number }>([
    { $match: { projectId, findingId: { $in: findingIds } } },
    { $sort: { findingId: 1, diagnosticScore: -1 } },
    { $group: { _id: '$findingId', score: { $first: '$diagnosticScore' } } },
  ]);
}
