import type { mongo } from 'mongoose';
import type { Database, Transaction } from '@clew/persistence';
import { extractionCollection, type ExtractionDocument } from './extraction.model.ts';
import type { Extraction } from './extraction.ts';

export interface ExtractionStore {
  getMany(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Extraction>>;
  save(tx: Transaction, extractions: readonly Extraction[]): Promise<void>;
  /** Ids of held rows of a goal that are not due. */
  heldOf(goal: GoalOfProject, nowMs: number, limit: number): Promise<string[]>;
  /** Time since which one of the held rows waits; `undefined` if none is held. */
  heldSince(projectId: string, some: ExtractionsOf): Promise<number | undefined>;
}

/** Rows of a goal, or those of them that a backfill waits for. */
export interface ExtractionsOf {
  goalId: string;
  backfillIds?: string;
}

interface GoalOfProject {
  projectId: string;
  goalId: string;
}

export function createExtractionStore(database: Pick<Database, 'connection'>): ExtractionStore {
  const extractions = extractionCollection(database);
  return {
    async getMany(tx, ids) {
      if (ids.length === 0) return new Map();
      const found = await extractions.find({ _id: { $in: [...ids] } }, { session: tx }).toArray();
      return new Map(found.map((document) => [document._id, extractionOf(document)]));
    },
    async save(tx, changed) {
      const writes = changed.map(({ id: _id, projectId, ...set }): mongo.AnyBulkWriteOperation<ExtractionDocument> => {
        return { updateOne: { filter: { _id, projectId }, update: { $set: set }, upsert: true } };
      });
      if (writes.length > 0) await extractions.bulkWrite(writes, { session: tx, ordered: false });
    },
    async heldOf({ projectId, goalId }, nowMs, limit) {
      if (limit <= 0) return [];
      const held = { projectId, goalId, state: 'held' as const, dueAt: { $not: { $lte: nowMs } } };
      const found = await extractions
        .find(held, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    async heldSince(projectId, some) {
      const held = await extractions.findOne({ projectId, ...some, state: 'held' }, { projection: { since: 1 } });
      return held?.since;
    },
  };
}

export function extractionOf(document: ExtractionDocument): Extraction {
  const { _id: id, leaseUntil: _l, claim: _c, attempts: _a, givenUpAt: _g, givenUpReason: _r, ...fields } = document;
  return { id, ...fields };
}
