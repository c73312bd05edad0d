import type { mongo } from 'mongoose';
import type { CollectionObjective, DecisionOutcome, RefusalReason } from '@clew/contracts';
import { derivedId, type Slice, type SliceRequest } from '@clew/kernel';
import { readSlice, type Claimed, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';
import { decisionCollection, type DecisionDocument } from './decision.model.ts';

/** Look at a conversation that a Dataset wants. */
export interface WantedLook extends DatasetKey {
  objective: CollectionObjective;
  conversationId: string;
  snapshotId: string;
}

export type ClaimedLook = Claimed<DecisionDocument>;

/** Fields of a decision that a look sets. */
export type Decided = Pick<DecisionDocument, '_id' | 'outcome' | 'because' | 'reason' | 'redacted'> &
  Pick<DecisionDocument, 'examples' | 'removedKeys' | 'problems'>;

export interface DecisionFilter {
  outcome?: DecisionOutcome | undefined;
  reason?: RefusalReason | undefined;
  conversationId?: string | undefined;
}

export interface DecisionStore {
  /** Makes looks due: at the given snapshots, instead of earlier ones. */
  want(wanted: readonly WantedLook[], nowMs: number): Promise<void>;
  getMany(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, DecisionDocument>>;
  /** Marks claimed rows as asked, and counts the round, unless another snapshot is wanted by now. */
  asked(tx: Transaction, claimed: readonly ClaimedLook[]): Promise<void>;
  /** Writes decisions, which ends their looks. */
  decide(tx: Transaction, decided: readonly Decided[], nowMs: number): Promise<void>;
  /** Ends looks without a decision: the Dataset no longer collects. */
  end(tx: Transaction, ids: readonly string[]): Promise<void>;
  /** Notes that a person deleted a collected Example, which is then never collected again. */
  noteRemoval(tx: Transaction, key: DatasetKey, exampleId: string): Promise<void>;
  list(key: DatasetKey, filter: DecisionFilter, slice: SliceRequest): Promise<Slice<DecisionDocument>>;
  /** Removes the decisions on an erased conversation; resolves with their number. */
  erase(projectId: string, conversationId: string): Promise<number>;
}

export const DECISIONS: KeysetList = {
  name: 'collection decisions',
  order: [
    ['decidedAt', -1],
    ['_id', -1],
  ],
};

const OVER = { dueAt: null, claim: null, leaseUntil: 0 } as const;

export function decisionIdOf({ datasetId, objective, conversationId }: Omit<WantedLook, 'snapshotId'>): string {
  return derivedId('cdec', datasetId, objective, conversationId);
}

export function createDecisionStore(database: Database): DecisionStore {
  const decisions = decisionCollection(database);
  return {
    async want(wanted, nowMs) {
      const writes = wanted.map((each) => wantedWrite(each, nowMs));
      if (writes.length > 0) await decisions.bulkWrite(writes, { ordered: false });
    },
    async getMany(tx, ids) {
      const found = await decisions.find({ _id: { $in: [...ids] } }, { session: tx }).toArray();
      return new Map(found.map((row) => [row._id, row]));
    },
    async asked(tx, claimed) {
      if (claimed.length === 0) return;
      const same = claimed.map(({ _id, snapshotId }) => ({ _id, snapshotId }));
      await decisions.updateMany({ $or: same }, { $set: { state: 'asked' }, $inc: { rounds: 1 } }, { session: tx });
    },
    async decide(tx, decided, nowMs) {
      const writes = decided.map(({ _id, ...fields }) => {
        const set = { ...fields, state: 'decided' as const, decidedAt: nowMs, failures: 0, ...OVER };
        return { updateOne: { filter: { _id }, update: { $set: set } } };
      });
      if (writes.length > 0) await decisions.bulkWrite(writes, { session: tx });
    },
    async end(tx, ids) {
      if (ids.length === 0) return;
      const ended = { $set: { state: 'decided' as const, ...OVER } };
      await decisions.updateMany({ _id: { $in: [...ids] } }, ended, { session: tx });
    },
    async noteRemoval(tx, { projectId, datasetId }, exampleId) {
      const row = await decisions.findOne({ projectId, datasetId, 'examples.id': exampleId }, { session: tx });
      const removed = row?.examples.find(({ id }) => id === exampleId);
      if (row === null || removed === undefined) return;
      const set = { outcome: 'removed_by_hand' as const, because: null, reason: null };
      await decisions.updateOne(
        { _id: row._id },
        { $set: set, $pull: { examples: { id: exampleId } }, $addToSet: { removedKeys: removed.derivationKey } },
        { session: tx },
      );
    },
    list({ projectId, datasetId }, { outcome, reason, conversationId }, slice) {
      const filter = {
        ...{ projectId, datasetId, decidedAt: { $gt: 0 } },
        ...(outcome === undefined ? {} : { outcome }),
        ...(reason === undefined ? {} : { reason }),
        ...(conversationId === undefined ? {} : { conversationId }),
      };
      return readSlice(decisions, DECISIONS.order, { filter, ...slice }, (row) => row);
    },
    async erase(projectId, conversationId) {
      return (await decisions.deleteMany({ projectId, conversationId })).deletedCount;
    },
  };
}

function wantedWrite(
  { projectId, datasetId, objective, conversationId, snapshotId }: WantedLook,
  nowMs: number,
): mongo.AnyBulkWriteOperation<DecisionDocument> {
  return {
    updateOne: {
      filter: { _id: decisionIdOf({ projectId, datasetId, objective, conversationId }) },
      update: {
        $set: { snapshotId, state: 'due' as const, dueAt: nowMs, failures: 0 },
        $setOnInsert: {
          ...{ projectId, datasetId, objective, conversationId, rounds: 0, createdAt: nowMs, decidedAt: null },
          ...{ outcome: null, because: null, reason: null, redacted: 0, examples: [], removedKeys: [], problems: [] },
          ...{ claim: null, leaseUntil: 0, attempts: 0 },
        },
      },
      upsert: true,
    },
  };
}
