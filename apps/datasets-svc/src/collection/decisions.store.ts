import type { CollectionSubject, DecisionOutcome, RefusalReason } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Claimed, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';
import { decisionCollection, type DecisionDocument } from './decision.model.ts';
import { OVER } from './looks.store.ts';

export type ClaimedLook = Claimed<DecisionDocument>;

/** Fields of a decision that a look sets. */
export type Decided = Pick<DecisionDocument, '_id' | 'outcome' | 'because' | 'reason' | 'redacted'> &
  Pick<DecisionDocument, 'examples' | 'removedKeys'> &
  Partial<Pick<DecisionDocument, 'problems' | 'model' | 'basis'>>;

export interface DecisionFilter {
  outcome?: DecisionOutcome | undefined;
  reason?: RefusalReason | undefined;
  conversationId?: string | undefined;
  itemId?: string | undefined;
}

export interface DecisionStore {
  getMany(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, DecisionDocument>>;
  /** Marks claimed rows as asked, and counts the round, unless another snapshot is wanted by now. */
  asked(tx: Transaction, claimed: readonly ClaimedLook[]): Promise<void>;
  /** Writes decisions in the place of the rows that were looked at, as this transaction has read them; that ends the looks. */
  decide(
    tx: Transaction,
    looked: readonly DecisionDocument[],
    decided: readonly Decided[],
    nowMs: number,
  ): Promise<void>;
  /** Writes what came of a synthesis, and leaves a look that is due meanwhile. */
  complete(tx: Transaction, decided: Decided, nowMs: number): Promise<void>;
  /** Forgets that models refused to write for decisions, so that they are asked again. */
  forgetRefused(ids: readonly string[]): Promise<void>;
  /** Refuses what waited for a model in Datasets that no longer collect it. */
  refuseWaiting(tx: Transaction, waiting: readonly { _id: string }[], nowMs: number): Promise<void>;
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

/** Subject of a decision, as a worker is told it. */
export function subjectOf({
  conversationId,
  snapshotId,
  itemId,
}: Pick<DecisionDocument, 'conversationId' | 'snapshotId' | 'itemId'>): CollectionSubject {
  if (itemId !== null) return { kind: 'item', itemId };
  return { kind: 'conversation', conversationId: conversationId ?? '', snapshotId: snapshotId ?? '' };
}

export function createDecisionStore(database: Database): DecisionStore {
  const decisions = decisionCollection(database);
  return {
    async getMany(tx, ids) {
      const found = await decisions.find({ _id: { $in: [...ids] } }, { session: tx }).toArray();
      return new Map(found.map((row) => [row._id, row]));
    },
    async asked(tx, claimed) {
      if (claimed.length === 0) return;
      // Within a Dataset and objective a conversation has one decision, so a snapshot is wanted by no other one.
      const ofDatasets = Map.groupBy(claimed, ({ datasetId, objective }) => `${datasetId} ${objective}`);
      const writes = [...ofDatasets.values()].map((some) => {
        const filter = { _id: { $in: idsOf(some) }, snapshotId: { $in: some.map(({ snapshotId }) => snapshotId) } };
        const update = { $set: { state: 'asked' as const }, $inc: { rounds: 1 } };
        return { updateMany: { filter, update, hint: { _id: 1 } } };
      });
      await decisions.bulkWrite(writes, { session: tx });
    },
    async decide(tx, looked, decided, nowMs) {
      if (decided.length === 0) return;
      const rows = new Map(looked.map((row) => [row._id, row]));
      const over = { state: 'decided' as const, decidedAt: nowMs, failures: 0, ...OVER };
      const after = decided.flatMap((fields): DecisionDocument[] => {
        const row = rows.get(fields._id);
        return row === undefined ? [] : [{ ...row, ...fields, ...over }];
      });
      // Rows are replaced by two commands, since MongoDB 6 reads the catalog of indexes for each index of each document
      // that a transaction updates: a decision would cost five times as much.
      await decisions.deleteMany({ _id: { $in: idsOf(after) } }, { session: tx, hint: { _id: 1 } });
      await decisions.insertMany(after, { session: tx });
    },
    async complete(tx, { _id, ...fields }, nowMs) {
      await decisions.updateOne({ _id }, { $set: { ...fields, decidedAt: nowMs } }, { session: tx });
    },
    async forgetRefused(ids) {
      const filter = { _id: { $in: [...ids] }, outcome: 'refused' as const };
      await decisions.updateMany(filter, { $set: { basis: null } });
    },
    async refuseWaiting(tx, waiting, nowMs) {
      if (waiting.length === 0) return;
      const filter = { _id: { $in: waiting.map(({ _id }) => _id) }, outcome: 'to_synthesize' as const };
      const set = { outcome: 'refused', reason: 'collection_off', because: null, decidedAt: nowMs } as const;
      await decisions.updateMany(filter, { $set: set }, { session: tx });
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
    list({ projectId, datasetId }, { outcome, reason, conversationId, itemId }, slice) {
      const filter = {
        ...{ projectId, datasetId, decidedAt: { $gt: 0 } },
        ...(outcome === undefined ? {} : { outcome }),
        ...(reason === undefined ? {} : { reason }),
        ...(conversationId === undefined ? {} : { conversationId }),
        ...(itemId === undefined ? {} : { itemId }),
      };
      return readSlice(decisions, DECISIONS.order, { filter, ...slice }, (row) => row);
    },
    async erase(projectId, conversationId) {
      return (await decisions.deleteMany({ projectId, conversationId })).deletedCount;
    },
  };
}

function idsOf(some: readonly { _id: string }[]): string[] {
  return some.map(({ _id }) => _id);
}
