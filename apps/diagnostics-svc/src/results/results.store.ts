import { Schema, type Connection, type Model } from 'mongoose';
import { type Database, modelOf, type Transaction } from '@clew/persistence';
import { findingIdOf, type Occurrence, type StoredFinding } from '../findings/finding.ts';
import { findingModel, occurrenceModel, type OccurrenceDocument } from '../findings/finding.model.ts';
import { fromDocument } from '../findings/findings.store.ts';
import { ruleProgressKey, type AnalysisResult, type ResultState } from './apply-results.ts';

interface RuleProgressDocument {
  /** Project, Rule and conversation. */
  _id: string;
  revision: number;
}

const ruleProgressSchema = new Schema<RuleProgressDocument>(
  { _id: { type: String, required: true }, revision: { type: Number, required: true } },
  { collection: 'rule_progress', versionKey: false },
);

export function ruleProgressModel(connection: Connection): Model<RuleProgressDocument> {
  return modelOf(connection, 'RuleProgress', ruleProgressSchema);
}

/** Reads what a batch of results touches, and writes what became of it: a constant number of operations a batch. */
export interface ResultStore {
  load(tx: Transaction, results: readonly AnalysisResult[]): Promise<ResultState>;
  save(tx: Transaction, before: ResultState, after: ResultState): Promise<void>;
  /** The occurrence that becomes primary: the first detected of those that are left. */
  firstOccurrence(tx: Transaction, projectId: string, findingId: string): Promise<Occurrence | undefined>;
  /** How many Findings each conversation shows, by `conversationKey`; a conversation without any is left out. */
  countByConversation(tx: Transaction, results: readonly AnalysisResult[]): Promise<Map<string, number>>;
}

export function createResultStore(database: Database): ResultStore {
  const findings = findingModel(database.connection);
  const occurrences = occurrenceModel(database.connection);
  const progress = ruleProgressModel(database.connection);

  return {
    async load(tx, results) {
      const known = await occurrences
        .find({ $or: viewsOf(results) })
        .session(tx)
        .lean<OccurrenceDocument[]>();
      const findingIds = new Set([...known.map(({ findingId }) => findingId), ...results.flatMap(detectedFindingIds)]);
      const progressKeys = results.flatMap(progressKeysOf);
      const findingDocuments = await findings
        .find({ _id: { $in: [...findingIds] } })
        .session(tx)
        .lean();
      const progressDocuments = await progress
        .find({ _id: { $in: progressKeys } })
        .session(tx)
        .lean();
      return {
        findings: new Map(findingDocuments.map((document) => [document._id, fromDocument(document)])),
        occurrences: new Map(known.map(({ _id, ...rest }) => [_id, { id: _id, ...rest }])),
        progress: new Map(progressDocuments.map(({ _id, revision }) => [_id, revision])),
      };
    },

    async save(tx, before, after) {
      await writeChanges(findings, before.findings, after.findings, tx);
      await writeChanges(occurrences, before.occurrences, after.occurrences, tx);
      const advanced = [...after.progress].filter(([key, revision]) => before.progress.get(key) !== revision);
      if (advanced.length === 0) return;
      await progress.bulkWrite(
        advanced.map(([_id, revision]) => ({
          updateOne: { filter: { _id }, update: { $set: { revision } }, upsert: true },
        })),
        { session: tx },
      );
    },

    async firstOccurrence(tx, projectId, findingId) {
      const document = await occurrences
        .findOne({ projectId, findingId })
        .sort({ detectedAt: 1, _id: 1 })
        .session(tx)
        .lean<OccurrenceDocument>();
      if (document === null) return undefined;
      const { _id, ...rest } = document;
      return { id: _id, ...rest };
    },

    async countByConversation(tx, results) {
      const counts = await occurrences
        .aggregate<{ _id: { projectId: string; conversationId: string }; count: number }>([
          {
            $match: {
              $or: results.map(({ projectId, data }) => ({ projectId, conversationId: data.conversationId })),
            },
          },
          { $group: { _id: { projectId: '$projectId', conversationId: '$conversationId' }, count: { $sum: 1 } } },
        ])
        .session(tx);
      return new Map(counts.map(({ _id, count }) => [conversationKey(_id.projectId, _id.conversationId), count]));
    },
  };
}

export function conversationKey(projectId: string, conversationId: string): string {
  return `${projectId}:${conversationId}`;
}

/** The occurrences that results may replace: those of their conversations and Rules. */
function viewsOf(results: readonly AnalysisResult[]) {
  return results.map(({ projectId, data }) => ({
    projectId,
    conversationId: data.conversationId,
    ruleId: { $in: data.runs.map(({ ruleId }) => ruleId) },
  }));
}

function detectedFindingIds({ projectId, data }: AnalysisResult): string[] {
  return data.runs.flatMap(({ outcome }) =>
    outcome.status === 'succeeded'
      ? outcome.detections.map(({ clusterFingerprint }) => findingIdOf(projectId, clusterFingerprint))
      : [],
  );
}

function progressKeysOf({ projectId, data }: AnalysisResult): string[] {
  return data.runs.map(({ ruleId }) => ruleProgressKey(projectId, data.conversationId, ruleId));
}

async function writeChanges<Entity extends StoredFinding | Occurrence>(
  model: Pick<Model<never>, 'bulkWrite'>,
  before: ReadonlyMap<string, Entity>,
  after: ReadonlyMap<string, Entity>,
  tx: Transaction,
): Promise<void> {
  const operations: unknown[] = [];
  for (const [_id, entity] of after) {
    if (before.get(_id) === entity) continue;
    const { id: _, ...replacement } = entity;
    operations.push({ replaceOne: { filter: { _id }, replacement: { _id, ...replacement }, upsert: true } });
  }
  for (const _id of before.keys()) if (!after.has(_id)) operations.push({ deleteOne: { filter: { _id } } });
  if (operations.length > 0) await model.bulkWrite(operations as never, { session: tx });
}
