import { mongo } from 'mongoose';
import type {
  CollectionObjective,
  CollectionSubject,
  DecisionOutcome,
  RefusalReason,
  WatchedProblem,
} from '@clew/contracts';
import { derivedId, type Slice, type SliceRequest } from '@clew/kernel';
import {
  insertNew,
  readSlice,
  type Claimed,
  type Database,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';
import { decisionCollection, type DecisionDocument } from './decision.model.ts';

/** Look at a conversation or an item that a Dataset wants. */
export interface WantedLook extends DatasetKey {
  objective: CollectionObjective;
  subject: CollectionSubject;
}

/** Look that is not needed, because its outcome is known. */
export interface RefusedLook extends WantedLook {
  reason: RefusalReason;
  /** Problems that stand against the conversation, if they are the reason. */
  problems: readonly WatchedProblem[];
}

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
  /** Makes looks due: at the given snapshots instead of earlier ones, at items as they are then. */
  want(wanted: readonly WantedLook[], nowMs: number): Promise<void>;
  /**
   * Refuses conversations without a look, where nothing was collected from them; resolves with those from which something
   * was, and which have to be looked at.
   */
  refuse(refused: readonly RefusedLook[], nowMs: number): Promise<WantedLook[]>;
  getMany(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, DecisionDocument>>;
  /** Marks claimed rows as asked, and counts the round, unless another snapshot is wanted by now. */
  asked(tx: Transaction, claimed: readonly ClaimedLook[]): Promise<void>;
  /** Writes decisions, which ends their looks. */
  decide(tx: Transaction, decided: readonly Decided[], nowMs: number): Promise<void>;
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

const DUPLICATE_KEY = 11_000;
const OVER = { dueAt: null, claim: null, leaseUntil: 0 } as const;

/** Id of a decision; an objective looks at conversations only or at items only. */
export function decisionIdOf({ datasetId, objective, subject }: Omit<WantedLook, 'projectId'>): string {
  return derivedId('cdec', datasetId, objective, subject.kind === 'item' ? subject.itemId : subject.conversationId);
}

/** Subject of a decision, as a worker is told it. */
export function subjectOf({
  conversationId,
  snapshotId,
  itemId,
}: Pick<DecisionDocument, 'conversationId' | 'snapshotId' | 'itemId'>): CollectionSubject {
  if (itemId !== null) return { kind: 'item', itemId };
  return { kind: 'conversation', conversationId: conversationId ?? '', snapshotId: snapshotId ?? '' };
}

/** Fields of a decision that say what it is about. */
export function subjectFields(subject: CollectionSubject) {
  return subject.kind === 'item'
    ? { conversationId: null, snapshotId: null, itemId: subject.itemId }
    : { conversationId: subject.conversationId, snapshotId: subject.snapshotId, itemId: null };
}

export function createDecisionStore(database: Database): DecisionStore {
  const decisions = decisionCollection(database);
  return {
    async want(wanted, nowMs) {
      const known = await insertMissing(decisions, wanted, (each) => ({
        ...newDecision(each, nowMs),
        ...wantedFields(each, nowMs),
      }));
      const writes = known.map((each) => wantedWrite(each, nowMs));
      if (writes.length > 0) await decisions.bulkWrite(writes, { ordered: false });
    },
    refuse: (refused, nowMs) => refuse(decisions, refused, nowMs),
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
    async decide(tx, decided, nowMs) {
      const writes = decided.map(({ _id, ...fields }) => {
        const set = { ...fields, state: 'decided' as const, decidedAt: nowMs, failures: 0, ...OVER };
        return { updateOne: { filter: { _id }, update: { $set: set } } };
      });
      if (writes.length > 0) await decisions.bulkWrite(writes, { session: tx });
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

/** Inserts the rows of looks that have none yet; resolves with the other looks. */
async function insertMissing<Look extends WantedLook>(
  decisions: mongo.Collection<DecisionDocument>,
  looks: readonly Look[],
  rowOf: (look: Look) => DecisionDocument,
): Promise<Look[]> {
  const byId = new Map(looks.map((look) => [decisionIdOf(look), look]));
  const known = await insertNew(decisions, [...byId.values()].map(rowOf));
  return known.flatMap(({ _id }) => byId.get(_id) ?? []);
}

function wantedFields({ subject }: WantedLook, nowMs: number) {
  return { snapshotId: subjectFields(subject).snapshotId, state: 'due' as const, dueAt: nowMs, failures: 0 };
}

function wantedWrite(wanted: WantedLook, nowMs: number): mongo.AnyBulkWriteOperation<DecisionDocument> {
  return { updateOne: { filter: { _id: decisionIdOf(wanted) }, update: { $set: wantedFields(wanted, nowMs) } } };
}

/** Refuses in two commands; resolves with the looks of those that own an Example. */
async function refuse(
  decisions: mongo.Collection<DecisionDocument>,
  refused: readonly RefusedLook[],
  nowMs: number,
): Promise<WantedLook[]> {
  const known = await insertMissing(decisions, refused, (each) => ({
    ...{ ...newDecision(each, nowMs), ...refusedFields(each, nowMs) },
  }));
  if (known.length === 0) return [];
  try {
    await decisions.bulkWrite(
      known.map((each) => refusedWrite(each, nowMs)),
      { ordered: false },
    );
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const failed = [error.writeErrors].flat();
    if (failed.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return failed.flatMap(({ index }) => known[index] ?? []);
  }
}

function refusedFields({ subject, reason, problems }: RefusedLook, nowMs: number) {
  const { snapshotId } = subjectFields(subject);
  return {
    ...{ snapshotId, state: 'decided' as const, decidedAt: nowMs, failures: 0, ...OVER },
    ...{ outcome: 'refused' as const, reason, because: null, redacted: 0, problems: [...problems] },
  };
}

/** Refuses a decision that owns no Example; for one that does, it fails as a duplicate. */
function refusedWrite(refused: RefusedLook, nowMs: number): mongo.AnyBulkWriteOperation<DecisionDocument> {
  const { _id, ...row } = newDecision(refused, nowMs);
  const set = refusedFields(refused, nowMs);
  const inserted = Object.fromEntries(Object.entries(row).filter(([name]) => !(name in set)));
  return {
    updateOne: {
      filter: { _id, 'examples.0': { $exists: false } },
      update: { $set: set, $setOnInsert: inserted },
      upsert: true,
    },
  };
}

/** Row before its first look. */
function newDecision({ projectId, datasetId, objective, subject }: WantedLook, nowMs: number): DecisionDocument {
  return {
    _id: decisionIdOf({ datasetId, objective, subject }),
    ...{ projectId, datasetId, objective, ...subjectFields(subject) },
    ...{ state: 'due', rounds: 0, attempts: 0, failures: 0, createdAt: nowMs, dueAt: null, claim: null, leaseUntil: 0 },
    ...{ decidedAt: null, outcome: null, because: null, reason: null, redacted: 0, problems: [] },
    ...{ model: null, basis: null, examples: [], removedKeys: [] },
  };
}

function idsOf(some: readonly { _id: string }[]): string[] {
  return some.map(({ _id }) => _id);
}
