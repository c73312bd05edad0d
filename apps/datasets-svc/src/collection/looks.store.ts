import { mongo } from 'mongoose';
import type { CollectionObjective, CollectionSubject, RefusalReason, WatchedProblem } from '@clew/contracts';
import { derivedId } from '@clew/kernel';
import { ANSWER_WITHIN_MS, insertNew, type Database, type Transaction } from '@clew/persistence';
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

/** Writes of looks that are wanted, or refused without one. */
export interface LookStore {
  /** Makes looks due: at the given snapshots instead of earlier ones, at items as they are then. */
  want(wanted: readonly WantedLook[], nowMs: number): Promise<void>;
  /**
   * Refuses conversations without a look, where nothing was collected from them; resolves with those from which something
   * was, and which have to be looked at.
   */
  refuse(refused: readonly RefusedLook[], nowMs: number): Promise<WantedLook[]>;
  /** Returns the looks that have no decision yet. */
  without(wanted: readonly WantedLook[]): Promise<WantedLook[]>;
  /** Makes decisions whose looks are asked for in the same transaction; fails if there is one already. */
  insertAsked(tx: Transaction, wanted: readonly WantedLook[], nowMs: number): Promise<void>;
}

const DUPLICATE_KEY = 11_000;
/** Schedule of a decision that nothing is to be done about. */
export const OVER = { dueAt: null, claim: null, leaseUntil: 0 } as const;

/** Id of a decision; an objective looks at conversations only or at items only. */
export function decisionIdOf({ datasetId, objective, subject }: Omit<WantedLook, 'projectId'>): string {
  return derivedId('cdec', datasetId, objective, subject.kind === 'item' ? subject.itemId : subject.conversationId);
}

/** Fields of a decision that say what it is about. */
export function subjectFields(subject: CollectionSubject) {
  return subject.kind === 'item'
    ? { conversationId: null, snapshotId: null, itemId: subject.itemId }
    : { conversationId: subject.conversationId, snapshotId: subject.snapshotId, itemId: null };
}

export function createLookStore(database: Database): LookStore {
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
    async without(wanted) {
      const found = await decisions
        .find({ _id: { $in: wanted.map(decisionIdOf) } }, { projection: { _id: 1 } })
        .toArray();
      const known = new Set(found.map(({ _id }) => _id));
      return wanted.filter((each) => !known.has(decisionIdOf(each)));
    },
    async insertAsked(tx, wanted, nowMs) {
      if (wanted.length === 0) return;
      const asked = { state: 'asked' as const, rounds: 1, dueAt: nowMs + ANSWER_WITHIN_MS };
      await decisions.insertMany(
        wanted.map((each) => ({ ...newDecision(each, nowMs), ...asked })),
        { session: tx },
      );
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
