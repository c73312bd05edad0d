import type { Database, Transaction } from '@clew/persistence';
import type { FindingHead } from '../findings/finding.ts';
import {
  findingCollection,
  findingModel,
  occurrenceCollection,
  occurrenceModel,
  WITHOUT_DESCRIPTION,
  type OccurrenceDocument,
} from '../findings/finding.model.ts';
import { findingIdOf, type Occurrence } from '../findings/occurrence.ts';
import { conversationKey, type AnalysisResult, type ResultState } from './apply-results.ts';
import { conversationCollection, conversationModel, type ConversationDocument } from './conversation.model.ts';
import {
  conversationWrite,
  findingWrite,
  occurrenceWrites,
  resultStateOf,
  withId,
  type FindingHeadDocument,
  type OccurrenceHeadDocument,
} from './result-documents.ts';

/** Reads what a batch of results touches, and writes what became of it; the operations do not grow with the batch. */
export interface ResultStore {
  load(tx: Transaction, results: readonly AnalysisResult[]): Promise<ResultState>;
  saveConversations(tx: Transaction, before: ResultState, after: ResultState): Promise<void>;
  saveFindings(tx: Transaction, before: ResultState, after: ResultState): Promise<void>;
  /** The first detected occurrence of each Finding; one read a project. */
  firstOccurrences(tx: Transaction, findings: readonly FindingHead[]): Promise<Occurrence[]>;
}

export function createResultStore(database: Database): ResultStore {
  const findings = findingModel(database.connection);
  const occurrences = occurrenceModel(database.connection);
  const conversations = conversationModel(database.connection);

  return {
    async load(tx, results) {
      const projectId = { $in: distinct(results.map((result) => result.projectId)) };
      const keys = results.map((result) => conversationKey(result.projectId, result.data.conversationId));
      const analysed = await conversations
        .find({ projectId, _id: { $in: keys } })
        .session(tx)
        .lean<ConversationDocument[]>();
      const shown = await occurrences
        .find({ $or: conversationsByProject(results) }, { detection: 0 })
        .session(tx)
        .lean<OccurrenceHeadDocument[]>();
      const findingIds = [...shown.map(({ findingId }) => findingId), ...results.flatMap(detectedFindingIds)];
      const heads = await findings
        .find({ projectId, _id: { $in: distinct(findingIds) } }, WITHOUT_DESCRIPTION)
        .session(tx)
        .lean<FindingHeadDocument[]>();
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
      const writes = changedEntries(before.findings, after.findings).map(([, finding]) => findingWrite(finding));
      if (writes.length > 0) await findingCollection(database).bulkWrite(writes, { session: tx });
    },

    async firstOccurrences(tx, heads) {
      const first: Occurrence[] = [];
      for (const [projectId, ofProject] of Map.groupBy(heads, (head) => head.projectId)) {
        const findingIds = ofProject.map(({ id }) => id);
        const rows = await firstOfFindings(projectId, findingIds).session(tx);
        first.push(...rows.map((row) => withId(row.first)));
      }
      return first;
    },
  };

  /** The index skips from Finding to Finding, so that one document of each is read. */
  function firstOfFindings(projectId: string, findingIds: readonly string[]) {
    return occurrences.aggregate<{ first: OccurrenceDocument }>([
      { $match: { projectId, findingId: { $in: findingIds } } },
      { $sort: { findingId: 1, firstDetectedAt: 1, _id: 1 } },
      { $group: { _id: '$findingId', first: { $first: '$$ROOT' } } },
    ]);
  }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function conversationsByProject(results: readonly AnalysisResult[]) {
  const byProject = Map.groupBy(results, ({ projectId }) => projectId);
  return [...byProject].map(([projectId, ofProject]) => ({
    projectId,
    conversationId: { $in: distinct(ofProject.map(({ data }) => data.conversationId)) },
  }));
}

function detectedFindingIds({ projectId, data }: AnalysisResult): string[] {
  return data.runs.flatMap(({ outcome }) =>
    outcome.status === 'succeeded'
      ? outcome.detections.map(({ clusterFingerprint }) => findingIdOf(projectId, clusterFingerprint))
      : [],
  );
}

function changedEntries<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): [string, Value][] {
  return [...after].filter(([key, value]) => before.get(key) !== value);
}
