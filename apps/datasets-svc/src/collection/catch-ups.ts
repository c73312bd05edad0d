import type { Clock } from '@clew/kernel';
import {
  createScheduledTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type TaskLoop,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { CatchingUp } from '../datasets/index.ts';
import { catchUpCollection, type CatchUpDocument } from './catch-up.model.ts';
import type { CollectingDatasets } from './collecting-datasets.ts';
import type { LookStore } from './looks.store.ts';
import type { ReadSubjects } from './read-subjects.ts';

export interface CatchUpsDependencies {
  database: Database;
  looks: Pick<LookStore, 'want'>;
  collecting: Pick<CollectingDatasets, 'among'>;
  readSubjects: ReadSubjects;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
  /** Tells that looks are due. */
  wake(): void;
}

/** Looks at what there was before a Dataset began to collect, page by page, the latest first. */
export interface CatchUps {
  /** Schedules the catch-up of a Dataset, instead of one under way. */
  begin(tx: Transaction, catchingUp: CatchingUp): Promise<void>;
  start(): TaskLoop;
}

const DAY_MS = 86_400_000;
const PAGE_SIZE = 200;
const LEASE_MS = 60_000;
/** About nine hours, with the kernel's default back-off. */
const MAX_ATTEMPTS = 60;

export function createCatchUps(dependencies: CatchUpsDependencies): CatchUps {
  const { database, looks, collecting, readSubjects, clock, logger, pollMs, wake } = dependencies;
  const catchUps = catchUpCollection(database);
  const rows = createScheduledTasks(catchUps, { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS, isInTurn: true });
  let loop: TaskLoop | undefined;

  async function settle(row: Claimed<CatchUpDocument>, next: { left: number; cursor: string } | null): Promise<void> {
    await database.withTransaction(async (tx) => {
      await rows.settle(tx, [row], next === null ? undefined : { dueAt: clock.now() });
      if (next === null) await catchUps.deleteOne({ _id: row._id, dueAt: null }, { session: tx });
      else await catchUps.updateOne({ _id: row._id }, { $set: next }, { session: tx });
    });
  }

  /** Has one page looked at. A page that is looked at twice, after a kill, gives the same decisions. */
  async function goOn(row: Claimed<CatchUpDocument>): Promise<void> {
    const { projectId, datasetId, objective } = row;
    const dataset = (await collecting.among(projectId, [datasetId])).get(datasetId);
    if (dataset?.objective !== objective) return await settle(row, null);
    const page = await readSubjects({ ...row, goalIds: dataset.goalIds, limit: Math.min(PAGE_SIZE, row.left) });
    await looks.want(
      page.subjects.map((subject) => ({ projectId, datasetId, objective, subject })),
      clock.now(),
    );
    wake();
    const left = row.left - page.subjects.length;
    await settle(row, left > 0 && page.nextCursor !== null ? { left, cursor: page.nextCursor } : null);
  }

  return {
    async begin(tx, { projectId, datasetId, objective, catchUp }) {
      const nowMs = clock.now();
      const window = { fromMs: Math.max(0, nowMs - catchUp.days * DAY_MS), toMs: nowMs };
      const replacement = {
        ...{ projectId, datasetId, objective, ...window, left: catchUp.conversations, cursor: null },
        ...{ dueAt: nowMs, claim: null, leaseUntil: 0, attempts: 0 },
      };
      await catchUps.replaceOne({ _id: datasetId }, replacement, { upsert: true, session: tx });
      loop?.wake();
    },
    start() {
      loop = startTaskLoop({
        ...{ name: 'collection catch-ups', rows, clock, logger, limit: 1, concurrency: 2 },
        ...(pollMs === undefined ? {} : { pollMs }),
        async handle(claimed) {
          for (const row of claimed) await goOn(row);
        },
      });
      return loop;
    },
  };
}
