import type { RetentionMechanism, SignalFigures } from '@clew/contracts';
import { createScheduledTasks, insertNew, type Claimed, type Database, type ScheduledTasks } from '@clew/persistence';
import { COUNT_LIMIT } from './mechanism.ts';
import { newSweeps, sweepCollection, type Removed, type SweepDocument, type SweepPosition } from './sweep.model.ts';

export type ClaimedSweep = Claimed<SweepDocument>;

export interface SweepStore {
  rows: ScheduledTasks<SweepDocument>;
  /** Makes sure that projects have sweeps; projects that this process has already ensured cost nothing. */
  ensure(projectIds: readonly string[], nowMs: number): Promise<void>;
  /** Stores the progress of a run; false if another process has taken it over. */
  note(sweep: ClaimedSweep, position: SweepPosition, removedByRun: Removed): Promise<boolean>;
  /** Ends a run. */
  end(sweep: ClaimedSweep, removed: Removed, nowMs: number, nextAtMs: number): Promise<void>;
  /** Releases the rest of a run for any process, behind runs that have waited longer. */
  goOnLater(sweep: ClaimedSweep, nowMs: number): Promise<void>;
  find(projectId: string): Promise<Map<RetentionMechanism, SweepDocument>>;
  /** Returns the pending work of a mechanism in all projects together. */
  figures(mechanism: RetentionMechanism, nowMs: number): Promise<RunFigures>;
}

/** Figures of runs that should have begun and have not ended. */
export interface RunFigures extends SignalFigures {
  lastRunAt: number | null;
}

/** Lease far longer than a batch takes. */
const LEASE_MS = 60_000;
const MAX_KNOWN_PROJECTS = 10_000;

export function createSweepStore(database: Database): SweepStore {
  const sweeps = sweepCollection(database);
  const rows = createScheduledTasks(sweeps, { leaseMs: LEASE_MS });
  const seen = new Set<string>();

  return {
    rows,
    async ensure(projectIds, nowMs) {
      const unseen = [...new Set(projectIds)].filter((projectId) => !seen.has(projectId));
      if (unseen.length === 0) return;
      await insertNew(
        sweeps,
        unseen.flatMap((projectId) => newSweeps(projectId, nowMs)),
      );
      if (seen.size > MAX_KNOWN_PROJECTS) seen.clear();
      for (const projectId of unseen) seen.add(projectId);
    },
    async note({ _id, claim }, position, removedByRun) {
      const { matchedCount } = await sweeps.updateOne({ _id, claim }, { $set: { position, removedByRun } });
      return matchedCount === 1;
    },
    async end(sweep, removed, nowMs, nextAtMs) {
      const removedInTotal = sum(sweep.removedInTotal, removed);
      const ended = {
        lastRunAt: nowMs,
        promisedAt: nextAtMs,
        removed,
        removedInTotal,
        position: null,
        removedByRun: {},
      };
      await database.withTransaction(async (tx) => {
        await sweeps.updateOne({ _id: sweep._id, claim: sweep.claim }, { $set: ended }, { session: tx });
        await rows.settle(tx, [sweep], { dueAt: nextAtMs });
      });
    },
    async goOnLater(sweep, nowMs) {
      await database.withTransaction((tx) => rows.settle(tx, [sweep], { dueAt: nowMs }));
    },
    async find(projectId) {
      const found = await sweeps.find({ _id: { $in: newSweeps(projectId, 0).map(({ _id }) => _id) } }).toArray();
      return new Map(found.map((sweep) => [sweep.mechanism, sweep]));
    },
    async figures(mechanism, nowMs) {
      const behind = { mechanism, promisedAt: { $lte: nowMs } };
      const [backlog, first, latest] = await Promise.all([
        sweeps.countDocuments(behind, { limit: COUNT_LIMIT }),
        sweeps.findOne(behind, { sort: { promisedAt: 1 }, projection: { promisedAt: 1 } }),
        sweeps.findOne({ mechanism }, { sort: { lastRunAt: -1 }, projection: { lastRunAt: 1 } }),
      ]);
      const oldestAgeMs = nowMs - (first?.promisedAt ?? nowMs);
      return { backlog, oldestAgeMs, givenUp: 0, lastRunAt: latest?.lastRunAt ?? null };
    },
  };
}

export function sum(left: Removed, right: Removed): Removed {
  const kinds = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...kinds].map((kind) => [kind, (left[kind] ?? 0) + (right[kind] ?? 0)]));
}
