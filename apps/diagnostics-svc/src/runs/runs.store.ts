import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf, type Database, type Transaction } from '@clew/persistence';
import type { AnalysisRun } from './analysis-run.ts';

type RunDocument = Omit<AnalysisRun, 'id'> & { _id: string };

const runSchema = new Schema<RunDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    conversationId: { type: String, required: true },
    snapshotId: { type: String, required: true },
    ruleId: { type: String, required: true },
    state: { type: String, required: true },
    reason: { type: String, default: null },
    createdAt: { type: Number, required: true },
    finishedAt: { type: Number, default: null },
  },
  { collection: 'analysis_runs', versionKey: false },
);

export function runModel(connection: Connection): Model<RunDocument> {
  return modelOf(connection, 'AnalysisRun', runSchema);
}

/** How a run ended. */
export interface RunEnd {
  runId: string;
  projectId: string;
  state: 'succeeded' | 'failed' | 'skipped';
  reason: string | null;
}

export interface RunStore {
  /** Inserts those runs that do not exist yet, and returns them. */
  insertNew(tx: Transaction, runs: readonly AnalysisRun[]): Promise<AnalysisRun[]>;
  /** Ends runs that have not ended yet; a result counts also for a run that was given up. */
  finish(tx: Transaction, ends: readonly RunEnd[], nowMs: number): Promise<void>;
}

/** A result counts also for a run that was given up meanwhile: its command may have been sent again. */
function openTo(state: RunEnd['state']): AnalysisRun['state'][] {
  return state === 'failed' ? ['queued', 'running'] : ['queued', 'running', 'failed'];
}

export function createRunStore(database: Database): RunStore {
  const model = runModel(database.connection);
  return {
    async insertNew(tx, runs) {
      const known = await model
        .find({ _id: { $in: runs.map(({ id }) => id) } }, { _id: 1 })
        .session(tx)
        .lean();
      const knownIds = new Set(known.map(({ _id }) => _id));
      const fresh = runs.filter(({ id }) => !knownIds.has(id));
      const documents = fresh.map(({ id, ...rest }) => ({ _id: id, ...rest }));
      if (documents.length > 0) await model.insertMany(documents, { session: tx });
      return fresh;
    },
    async finish(tx, ends, nowMs) {
      if (ends.length === 0) return;
      await model.bulkWrite(
        ends.map(({ runId, projectId, state, reason }) => ({
          updateOne: {
            filter: { _id: runId, projectId, state: { $in: openTo(state) } },
            update: { $set: { state, reason, finishedAt: nowMs } },
          },
        })),
        { session: tx },
      );
    },
  };
}
