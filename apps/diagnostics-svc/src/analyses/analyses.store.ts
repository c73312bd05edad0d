import type { mongo } from 'mongoose';
import type { Slice, SliceRequest } from '@clew/kernel';
import type { AnalysisState, AnalysisTrigger } from '@clew/contracts';
import {
  createValuedLists,
  NEWEST_FIRST,
  type Database,
  type KeysetList,
  type ListPlan,
  type Transaction,
} from '@clew/persistence';
import { analysisIdOf, type Analysis, type AnalysisTarget } from './analysis.ts';
import { analysisCollection, analysisOf, documentOf, LIST_INDEXES, type AnalysisDocument } from './analysis.model.ts';

/** Analyses by id. */
export type Analyses = ReadonlyMap<string, Analysis>;

/**
 * Reads and writes the analyses of many snapshots; the number of operations does not grow with that of the snapshots.
 */
export interface AnalysisStore {
  /** Reads the existing analyses of the snapshots. */
  load(tx: Transaction, targets: readonly AnalysisTarget[]): Promise<Analyses>;
  /** Writes new and changed analyses. */
  save(tx: Transaction, before: Analyses, after: Analyses): Promise<void>;
  /** Lists analyses, newest first. */
  list(projectId: string, filter: AnalysisFilter, slice: SliceRequest): Promise<Slice<Analysis>>;
  get(projectId: string, analysisId: string): Promise<Analysis | undefined>;
  /** Number of analyses with queued runs, counted up to 10,000, and the age of the oldest in milliseconds. */
  queued(nowMs: number): Promise<{ backlog: number; oldestAgeMs: number }>;
  /** Same for one project, among the first 1,000 of all, so that the cost does not depend on anybody's backlog. */
  queuedOf(projectId: string, nowMs: number): Promise<{ backlog: number; oldestAgeMs: number }>;
}

export interface AnalysisFilter {
  conversationId?: string | undefined;
  state?: readonly AnalysisState[] | undefined;
  trigger?: readonly AnalysisTrigger[] | undefined;
  /** At this time or later. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
}

export const ANALYSES: KeysetList = {
  ...{ name: 'analysis runs', order: NEWEST_FIRST },
  invalidCursor: 'INVALID_FILTER',
};

const COUNT_LIMIT = 10_000;
const SHARE_AMONG = 1_000;

export function createAnalysisStore(database: Database): AnalysisStore {
  const { connection } = database;
  const documents = analysisCollection(connection);
  const lists = createValuedLists(database, documents);
  return {
    async load(tx, targets) {
      if (targets.length === 0) return new Map();
      const projectIds = [...new Set(targets.map(({ projectId }) => projectId))];
      const ids = [...new Set(targets.map(analysisIdOf))];
      const found = documents.find({ projectId: { $in: projectIds }, _id: { $in: ids } }, { session: tx });
      return new Map((await found.toArray()).map((document) => [document._id, analysisOf(document)]));
    },

    async save(tx, before, after) {
      const inserted: AnalysisDocument[] = [];
      const updates: mongo.AnyBulkWriteOperation<AnalysisDocument>[] = [];
      for (const [id, analysis] of after) {
        const known = before.get(id);
        if (known === undefined) inserted.push(documentOf(analysis));
        else if (known !== analysis) updates.push(updateOf(documentOf(known), documentOf(analysis)));
      }
      if (inserted.length > 0) await documents.insertMany(inserted, { session: tx });
      if (updates.length > 0) await documents.bulkWrite(updates, { session: tx });
    },

    list(projectId, filter, slice) {
      const hint = filter.conversationId === undefined ? LIST_INDEXES.project : LIST_INDEXES.conversation;
      return lists.slice(planOf(projectId, filter), { order: ANALYSES.order, hint, ...slice }, analysisOf);
    },

    async get(projectId, analysisId) {
      const found = await documents.findOne({ _id: analysisId, projectId }, { hint: { _id: 1 } });
      return found === null ? undefined : analysisOf(found);
    },

    async queued(nowMs) {
      const filter = { queuedAt: { $gt: 0 } };
      const [backlog, first] = await Promise.all([
        documents.countDocuments(filter, { limit: COUNT_LIMIT }),
        documents.findOne(filter, { sort: { queuedAt: 1 }, projection: { queuedAt: 1 } }),
      ]);
      return { backlog, oldestAgeMs: Math.max(0, nowMs - (first?.queuedAt ?? nowMs)) };
    },

    async queuedOf(projectId, nowMs) {
      const first = documents.find({ queuedAt: { $gt: 0 } }, { projection: { projectId: 1, queuedAt: 1 } });
      const found = await first.sort({ queuedAt: 1 }).limit(SHARE_AMONG).toArray();
      const own = found.filter((analysis) => analysis.projectId === projectId);
      return { backlog: own.length, oldestAgeMs: Math.max(0, nowMs - (own[0]?.queuedAt ?? nowMs)) };
    },
  };
}

const CONDITION_OF_STATE: Readonly<Record<AnalysisState, object>> = {
  queued: { endedAt: null },
  completed: { endedAt: { $ne: null }, failed: { $exists: false } },
  failed: { endedAt: { $ne: null }, failed: { $exists: true } },
};

/**
 * Plan of a list: the time is a range of the index; states and triggers are compared on the documents, because an index
 * of them would be written with the end of every run.
 */
function planOf(projectId: string, filter: AnalysisFilter): ListPlan {
  const { conversationId, state, trigger, createdAfter, createdBefore } = filter;
  const time = {
    ...(createdAfter === undefined ? {} : { $gte: createdAfter }),
    ...(createdBefore === undefined ? {} : { $lt: createdBefore }),
  };
  return {
    indexed: {
      ...{ projectId, ...(conversationId === undefined ? {} : { conversationId }) },
      ...(Object.keys(time).length === 0 ? {} : { createdAt: time }),
    },
    compared: [
      ...(state === undefined ? [] : [{ $or: state.map((one) => CONDITION_OF_STATE[one]) }]),
      ...(trigger === undefined ? [] : [{ trigger: { $in: [...trigger] } }]),
    ],
  };
}

/** Update of the changed fields only: a run that ends without findings writes one number. */
function updateOf(before: AnalysisDocument, after: AnalysisDocument): mongo.AnyBulkWriteOperation<AnalysisDocument> {
  const fields = ['endedAt', 'queuedAt', 'rules', 'queued', 'failed', 'skipped', 'found'] as const;
  const gone = fields.filter((field) => before[field] !== undefined && after[field] === undefined);
  const set = fields.filter((field) => after[field] !== undefined && after[field] !== before[field]);
  const { _id, projectId, conversationId } = after;
  return {
    updateOne: {
      filter: { _id, projectId, conversationId },
      update: {
        $set: Object.fromEntries(set.map((field) => [field, after[field]])),
        ...(gone.length === 0 ? {} : { $unset: Object.fromEntries(gone.map((field) => [field, ''])) }),
      },
    },
  };
}
