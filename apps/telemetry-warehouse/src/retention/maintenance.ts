import type { Database } from '@clew/persistence';
import { conversationCollection, conversationKey } from '../conversations/index.ts';
import { fragmentCollection, MAX_SMALL_FRAGMENTS, type Compaction } from '../fragments/index.ts';
import type { HourStore } from '../hours/index.ts';
import { chunkId, snapshotChunkCollection, snapshotCollection } from '../snapshots/index.ts';
import { cutOf, type Batch, type Mechanism, type SweepContext } from './mechanism.ts';
import type { SweepPosition } from './sweep.model.ts';

const AT_A_TIME = 500;
const FRAGMENTS_AT_A_TIME = 5_000;
/** Age after which chunks without a snapshot are leftovers: a snapshot is written right after its chunks. */
const STAGED_DAYS = 1;
/** Age from which few conversations of an hour still change. */
const SETTLED_MS = 2 * 3_600_000;

/**
 * Searches a project for snapshots that nothing names any more, for chunks whose snapshot was never written, for traces
 * in many small fragments, and for hourly figures in several parts.
 */
export function createMaintenance(
  database: Database,
  { compaction, hours }: { compaction: Compaction; hours: Pick<HourStore, 'fold'> },
): Mechanism {
  const snapshots = snapshotCollection(database.connection);
  const chunks = snapshotChunkCollection(database.connection);
  const conversations = conversationCollection(database.connection);
  const compactTraces = createTraceSweep(database, compaction);

  /** Returns the ids of snapshots that their conversations name. */
  async function namedOf(projectId: string, conversationIds: readonly string[]): Promise<Set<string>> {
    const _id = { $in: [...new Set(conversationIds)].map((id) => conversationKey(projectId, id)) };
    const found = await conversations.find({ _id }, { projection: { snapshotId: 1, 'ready.snapshotId': 1 } }).toArray();
    return new Set(found.flatMap(({ snapshotId, ready }) => [snapshotId ?? '', ready?.snapshotId ?? '']));
  }

  async function sweepSnapshots({ projectId, nowMs, settings }: SweepContext, position: SweepPosition): Promise<Batch> {
    const cut = cutOf(nowMs, settings.snapshotRetentionDays);
    const page = await snapshots
      .find(
        { projectId, ...behind(position, cut) },
        {
          projection: { conversationId: 1, createdAt: 1, chunkCount: 1 },
          sort: { createdAt: 1, _id: 1 },
          limit: AT_A_TIME,
        },
      )
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return { removed: {}, next: { step: 'chunks' } };
    const named = await namedOf(
      projectId,
      page.map(({ conversationId }) => conversationId),
    );
    const unnamed = page.filter(({ _id }) => !named.has(_id));
    const ids = unnamed.map(({ _id }) => _id);
    const parts = unnamed.flatMap(({ _id, chunkCount }) =>
      Array.from({ length: chunkCount }, (_, index) => chunkId(_id, index)),
    );
    await chunks.deleteMany({ _id: { $in: parts } });
    const { deletedCount } = await snapshots.deleteMany({ _id: { $in: ids } });
    return {
      removed: { snapshots: deletedCount },
      next: { step: 'snapshots', after: { at: last.createdAt, id: last._id } },
    };
  }

  async function sweepChunks({ projectId, nowMs }: SweepContext, position: SweepPosition): Promise<Batch> {
    const page = await chunks
      .find(
        { projectId, ...behind(position, cutOf(nowMs, STAGED_DAYS)) },
        { projection: { createdAt: 1 }, sort: { createdAt: 1, _id: 1 }, limit: AT_A_TIME },
      )
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return { removed: {}, next: { step: 'traces' } };
    const owners = await snapshots
      .find({ _id: { $in: page.map(({ _id }) => snapshotOf(_id)) } }, { projection: { _id: 1 } })
      .toArray();
    const owned = new Set(owners.map(({ _id }) => _id));
    const staged = page.filter(({ _id }) => !owned.has(snapshotOf(_id))).map(({ _id }) => _id);
    const { deletedCount } = await chunks.deleteMany({ _id: { $in: staged } });
    return {
      removed: { stagedChunks: deletedCount },
      next: { step: 'chunks', after: { at: last.createdAt, id: last._id } },
    };
  }

  /** Puts the hourly figures together that several processes have written. */
  async function foldHours({ projectId, nowMs }: SweepContext): Promise<Batch> {
    const folded = await hours.fold(projectId, nowMs - SETTLED_MS);
    return { removed: {}, next: folded === 0 ? undefined : { step: 'hours' } };
  }

  return {
    first: { step: 'snapshots' },
    async sweep(context, position) {
      if (position.step === 'snapshots') return await sweepSnapshots(context, position);
      if (position.step === 'chunks') return await sweepChunks(context, position);
      return position.step === 'hours' ? await foldHours(context) : await compactTraces(context, position);
    },
    // Pending work is known only after a search, so its age is that of the due run.
    waiting: () => Promise.resolve({ count: 0, oldestAt: null }),
  };
}

/** Compacts traces that arrived in many small fragments and have not been read since. */
function createTraceSweep(database: Database, compaction: Compaction) {
  const heads = fragmentCollection(database);
  return async ({ projectId }: SweepContext, { after }: SweepPosition): Promise<Batch> => {
    const page = await heads
      .find(
        { projectId, ...(after === undefined ? {} : { traceId: { $gt: after.id } }) },
        { projection: { _id: 0, traceId: 1 }, sort: { traceId: 1 }, limit: FRAGMENTS_AT_A_TIME },
      )
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return { removed: {}, next: { step: 'hours' } };
    let fragments = 0;
    for (const [traceId, ofTrace] of Map.groupBy(page, (one) => one.traceId)) {
      if (ofTrace.length > MAX_SMALL_FRAGMENTS) fragments += await compaction.compact(projectId, traceId);
    }
    return { removed: { fragments }, next: { step: 'traces', after: { at: new Date(0), id: last.traceId } } };
  };
}

function behind({ after }: SweepPosition, cut: Date) {
  if (after === undefined) return { createdAt: { $lt: cut } };
  return {
    createdAt: { $gte: after.at, $lt: cut },
    $or: [{ createdAt: { $gt: after.at } }, { _id: { $gt: after.id } }],
  };
}

function snapshotOf(idOfChunk: string): string {
  return idOfChunk.slice(0, idOfChunk.lastIndexOf(':'));
}
