import { EXPECTATION_STATUSES, MAX_ACTIVE_EXPECTATIONS, type ExpectationStatus } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { NEWEST_FIRST, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import { expectationCollection, expectationSetCollection, type ExpectationDocument } from './expectation.model.ts';
import { checkedExpectation, type CheckedSet, type StoredExpectation } from './expectation.ts';

export interface ExpectationKey {
  projectId: string;
  expectationId: string;
}

/** Revision and number of a project's active Expectations, or a change of these. */
export interface ExpectationCounts {
  revision: number;
  active: number;
}

export interface ExpectationStore {
  insert(tx: Transaction, expectations: readonly StoredExpectation[]): Promise<void>;
  get(projectId: string, expectationId: string): Promise<StoredExpectation | undefined>;
  /** Reads an Expectation, even a deleted one that is not removed yet. */
  open(tx: Transaction, key: ExpectationKey): Promise<StoredExpectation | undefined>;
  list(
    projectId: string,
    status: ExpectationStatus | undefined,
    slice: SliceRequest,
  ): Promise<Slice<StoredExpectation>>;
  /** Saves an Expectation; with `dueAt`, its conversations are reviewed from that time on. */
  save(tx: Transaction, expectation: StoredExpectation, dueAt?: number): Promise<void>;
  /** Reads the project's Expectations with these ids or checks. */
  known(
    tx: Transaction,
    projectId: string,
    named: { ids: readonly string[]; checkHashes: readonly string[] },
  ): Promise<StoredExpectation[]>;
  /** Adds a change to the counts. Of two concurrent transactions that do so, one is run again. */
  count(tx: Transaction, projectId: string, change: ExpectationCounts): Promise<ExpectationCounts>;
  counts(tx: Transaction, projectId: string): Promise<ExpectationCounts>;
  revisions(projectIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Reads the active Expectations with their revision. */
  checked(tx: Transaction, projectId: string): Promise<CheckedSet>;
  /** Reads Expectations by Finding for results; a concurrent change of one makes the transaction run again. */
  forResults(
    tx: Transaction,
    projectId: string,
    findingIds: readonly string[],
    nowMs: number,
  ): Promise<ReadonlyMap<string, StoredExpectation>>;
  /** Makes the review of their conversations due again. */
  reviewAgain(tx: Transaction, projectId: string, ids: readonly string[], nowMs: number): Promise<void>;
}

export const EXPECTATIONS: KeysetList = { name: 'expectations', order: NEWEST_FIRST, invalidCursor: 'INVALID_FILTER' };

const NOTHING_YET: ExpectationCounts = { revision: 0, active: 0 };

export function createExpectationStore(database: Database): ExpectationStore {
  const documents = expectationCollection(database);
  const sets = expectationSetCollection(database);

  async function countsIn(tx: Transaction, projectId: string): Promise<ExpectationCounts> {
    return (await sets.findOne({ _id: projectId }, { session: tx })) ?? NOTHING_YET;
  }

  return {
    async insert(tx, expectations) {
      if (expectations.length > 0) await documents.insertMany(expectations.map(documentOf), { session: tx });
    },

    async get(projectId, expectationId) {
      const document = await documents.findOne({ _id: expectationId, projectId, status: { $ne: 'deleted' } });
      return document === null ? undefined : storedOf(document);
    },

    async open(tx, { projectId, expectationId }) {
      const document = await documents.findOne({ _id: expectationId, projectId }, { session: tx });
      return document === null ? undefined : storedOf(document);
    },

    list(projectId, status, slice) {
      const filter = { projectId, status: status ?? { $in: EXPECTATION_STATUSES } };
      return readSlice(documents, EXPECTATIONS.order, { filter, ...slice }, storedOf);
    },

    async save(tx, expectation, dueAt) {
      const { _id, projectId, ...fields } = documentOf(expectation);
      const again = dueAt === undefined ? {} : { reviewedThrough: null, dueAt: anotherThan(dueAt) };
      const set = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
      await documents.updateOne({ _id, projectId }, [{ $set: { ...set, ...again } }], { session: tx });
    },

    async known(tx, projectId, { ids, checkHashes }) {
      const byId = await documents.find({ projectId, _id: { $in: [...ids] } }, { session: tx }).toArray();
      const sameCheck = { projectId, checkHash: { $in: [...checkHashes] } };
      const byCheck = await documents.find(sameCheck, { session: tx }).toArray();
      return [...byId, ...byCheck].map(storedOf);
    },

    async count(tx, projectId, { revision, active }) {
      const changed = await sets.findOneAndUpdate(
        { _id: projectId },
        { $inc: { revision, active } },
        { session: tx, upsert: true, returnDocument: 'after' },
      );
      return changed ?? NOTHING_YET;
    },

    counts: countsIn,

    async revisions(projectIds) {
      const found = await sets.find({ _id: { $in: [...projectIds] } }, { projection: { revision: 1 } }).toArray();
      return new Map(found.map(({ _id, revision }) => [_id, revision]));
    },

    async checked(tx, projectId) {
      const { revision } = await countsIn(tx, projectId);
      const order = { createdAt: -1, _id: -1 } as const;
      const options = { sort: order, limit: MAX_ACTIVE_EXPECTATIONS, session: tx };
      const found = documents.find({ projectId, status: 'active' }, options);
      return { revision, active: (await found.toArray()).map((document) => checkedExpectation(storedOf(document))) };
    },

    async forResults(tx, projectId, findingIds, nowMs) {
      const filter = { projectId, findingId: { $in: [...findingIds] } };
      // Always a new number, because writing the same one would be no write, and nothing would conflict.
      const again = { $set: { resultsAt: { $max: [nowMs, { $add: [{ $ifNull: ['$resultsAt', 0] }, 1] }] } } };
      await documents.updateMany(filter, [again], { session: tx });
      const found = await documents.find(filter, { session: tx }).toArray();
      return new Map(found.map((document) => [document.findingId, storedOf(document)]));
    },

    async reviewAgain(tx, projectId, ids, nowMs) {
      const again = { $set: { reviewedThrough: null, dueAt: anotherThan(nowMs) } };
      await documents.updateMany({ projectId, _id: { $in: [...ids] } }, [again], { session: tx });
    },
  };
}

/** Due time that always differs from the stored one, by which a claim sees that the row was made due again. */
function anotherThan(dueAt: number) {
  return { $cond: [{ $eq: ['$dueAt', dueAt] }, dueAt + 1, dueAt] };
}

function documentOf({ id, ...fields }: StoredExpectation): ExpectationDocument {
  return { _id: id, ...fields };
}

export function storedOf(document: ExpectationDocument): StoredExpectation {
  const { _id, projectId, statement, source, quote, promptHash, status, severity, check } = document;
  const { checkHash, findingId, since, revised, createdAt, updatedAt } = document;
  return {
    ...{ id: _id, projectId, statement, source, status, severity, check },
    ...(quote === undefined ? {} : { quote }),
    ...(promptHash === undefined ? {} : { promptHash }),
    ...{ checkHash, findingId, since, revised, createdAt, updatedAt },
  };
}
