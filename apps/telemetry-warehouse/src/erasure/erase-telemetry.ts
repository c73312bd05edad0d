import type { Clock } from '@clew/kernel';
import { eraseReplies, type Database, type Tombstones } from '@clew/persistence';
import { conversationCollection, conversationKey, touched } from '../conversations/index.ts';
import { callNumber, spanPlace, type FragmentStore } from '../fragments/index.ts';
import type { HourStore } from '../hours/index.ts';
import type { ExpireWords } from '../retention/index.ts';
import { scoreCollection } from '../scores/index.ts';
import { chunkId, snapshotChunkCollection, snapshotCollection } from '../snapshots/index.ts';
import { sumOf, type EraseRecords } from './erase-records.ts';
import type { Counts, ErasureDocument } from './erasure.model.ts';
import { judgeLettersOf, type SweepLetters } from './erase-letters.ts';
import { traceTombstone, type RefuseErased } from './refuse-erased.ts';

export interface EraseTelemetryDependencies {
  database: Database;
  tombstones: Tombstones;
  eraseRecords: EraseRecords;
  fragments: Pick<FragmentStore, 'firstTracesNaming'>;
  expireWords: ExpireWords;
  hours: Pick<HourStore, 'discount'>;
  refuse: Pick<RefuseErased, 'withoutErased'>;
  sweepLetters: SweepLetters;
  clock: Clock;
}

/** Result of one batch. */
export interface TelemetryBatch {
  removed: Counts;
  done: boolean;
}

/** Erases the warehouse's own part, in batches that can be repeated. */
export type EraseTelemetry = (
  erasure: Pick<ErasureDocument, 'projectId' | 'taken'>,
  conversationId: string,
) => Promise<TelemetryBatch>;

const TRACES_AT_A_TIME = 20;
const SNAPSHOTS_AT_A_TIME = 50;
const SCORES_AT_A_TIME = 500;
const MAX_TRACES_OF_LENDER = 5_000;
const TRACE_ID = /^[0-9a-f]{32}$/;

export function createEraseTelemetry(dependencies: EraseTelemetryDependencies): EraseTelemetry {
  const { database, tombstones, eraseRecords, fragments, expireWords, hours, refuse, sweepLetters, clock } =
    dependencies;
  const conversations = conversationCollection(database.connection);
  const snapshots = snapshotCollection(database.connection);
  const chunks = snapshotChunkCollection(database.connection);
  const scores = scoreCollection(database);

  async function eraseTraces(
    projectId: string,
    traceIds: readonly string[],
    doomed: Parameters<EraseRecords['ofTrace']>[2],
  ): Promise<Counts> {
    await tombstones.set(projectId, traceIds.map(traceTombstone));
    let counts: Counts = {};
    for (const traceId of traceIds) counts = sumOf(counts, await eraseRecords.ofTrace(projectId, traceId, doomed));
    return counts;
  }

  /** Removes the conversation's records from its traces, until no trace names it any more. */
  async function records(projectId: string, conversationId: string): Promise<TelemetryBatch> {
    const naming = await fragments.firstTracesNaming(projectId, conversationId, TRACES_AT_A_TIME);
    const isOwn = naming.length < TRACES_AT_A_TIME && TRACE_ID.test(conversationId);
    const traceIds = [...new Set([...naming, ...(isOwn ? [conversationId] : [])])];
    const removed = await eraseTraces(projectId, traceIds, { names: new Set([conversationId]) });
    return { removed, done: naming.length === 0 };
  }

  async function snapshotsOf(projectId: string, conversationId: string): Promise<TelemetryBatch> {
    const page = await snapshots
      .find({ projectId, conversationId }, { projection: { chunkCount: 1 }, limit: SNAPSHOTS_AT_A_TIME })
      .toArray();
    const parts = page.flatMap(({ _id, chunkCount }) =>
      Array.from({ length: chunkCount }, (_, index) => chunkId(_id, index)),
    );
    await chunks.deleteMany({ _id: { $in: parts } });
    const { deletedCount } = await snapshots.deleteMany({ _id: { $in: page.map(({ _id }) => _id) } });
    return { removed: { snapshots: deletedCount }, done: page.length < SNAPSHOTS_AT_A_TIME };
  }

  async function scoresOf(projectId: string, conversationId: string): Promise<TelemetryBatch> {
    const page = await scores
      .find({ projectId, conversationId }, { projection: { _id: 1 }, limit: SCORES_AT_A_TIME })
      .toArray();
    const ids = page.map(({ _id }) => _id);
    const replies = await eraseReplies(database, projectId, ids);
    const { deletedCount } = await scores.deleteMany({ _id: { $in: ids } });
    return { removed: { scores: deletedCount, replies }, done: page.length < SCORES_AT_A_TIME };
  }

  /** Removes the records of calls that the conversation had taken from others that have other content too. */
  async function takenCalls({ projectId, taken }: Pick<ErasureDocument, 'projectId' | 'taken'>): Promise<Counts> {
    const calls = new Set(taken.map(({ call }) => call));
    const lenders = [...new Set(taken.map(({ from }) => from))];
    let removed: Counts = {};
    for (const lender of lenders) {
      const naming = await fragments.firstTracesNaming(projectId, lender, MAX_TRACES_OF_LENDER);
      const traceIds = [...new Set([...naming, ...(TRACE_ID.test(lender) ? [lender] : [])])];
      removed = sumOf(removed, await eraseTraces(projectId, traceIds, { names: new Set(), calls }));
    }
    const isTaken = (message: { traceId: string; spanId: string }) => calls.has(callNumber(spanPlace(message)));
    await expireWords.ofConversations(projectId, lenders, { isExpired: isTaken, scoresBefore: 0 });
    const _id = { $in: lenders.map((lender) => conversationKey(projectId, lender)) };
    await conversations.updateMany({ _id }, { ...touched, $max: { dueAt: clock.now() } });
    return removed;
  }

  return async (erasure, conversationId) => {
    const { projectId } = erasure;
    await tombstones.set(projectId, [conversationId]);
    // The conversation goes first: a process that has already read its words, and is about to save a snapshot of them,
    // then finds no conversation to save.
    const _id = conversationKey(projectId, conversationId);
    const deletedCount = await database.withTransaction(async (tx) => {
      await hours.discount(tx, [_id]);
      return (await conversations.deleteOne({ _id }, { session: tx })).deletedCount;
    });
    let removed: Counts = { conversations: deletedCount };
    for (const step of [records, snapshotsOf, scoresOf]) {
      const batch = await step(projectId, conversationId);
      removed = sumOf(removed, batch.removed);
      if (!batch.done) return { removed, done: false };
    }
    // Dead letters come after the traces are known in which the conversation had records: a record that names no
    // conversation may be its own.
    const deadLetters = await sweepLetters(judgeLettersOf({ projectId, conversationId }, refuse));
    removed = sumOf(removed, { deadLetters });
    if (erasure.taken.length > 0) removed = sumOf(removed, await takenCalls(erasure));
    const replies = await eraseReplies(database, projectId, [conversationId]);
    return { removed: sumOf(removed, { replies }), done: true };
  };
}
