import type { TrackerCall } from '@clew/issue-trackers';
import {
  createProjectTurns,
  createScheduledTasks,
  handleDueTasks,
  startTaskLoop,
  type Claimed,
  type Database,
  type HandleTasksOptions,
  type ScheduledTasks,
  type TaskLoop,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { Clock } from '@clew/kernel';
import { withHeartbeats } from '../work-items/index.ts';
import { walkCollection, type WalkDocument } from './walk.model.ts';
import { walkOn, type WalkerDependencies } from './walker.ts';

export interface WalkRunnerDependencies extends Omit<WalkerDependencies, 'now'> {
  database: Database;
  clock: Clock;
  logger: Logger;
}

/** Walks through what changes at issue trackers, as walks become due. */
export interface WalkRunner {
  readonly rows: ScheduledTasks<WalkDocument>;
  /** Takes due walks a page further; returns their number. */
  round(): Promise<number>;
  start(): TaskLoop;
}

const LEASE_MS = 30_000;
const CALL_MS = 25_000;
/** Walks in hand in all processes, and of one project: a slow provider holds up its own project only. */
const CAPACITY = { total: 64, ofProject: 2 };
const CONCURRENCY = 8;

export function createWalkRunner(deps: WalkRunnerDependencies): WalkRunner {
  const { database, walks, clock, logger } = deps;
  const collection = walkCollection(database.connection);
  const rows = createScheduledTasks(collection, { leaseMs: LEASE_MS });
  const turns = createProjectTurns({ collection, rows, capacity: () => CAPACITY });

  async function step(row: Claimed<WalkDocument>, call: TrackerCall): Promise<void> {
    const next = await walkOn({ ...deps, now: () => clock.now() }, row, call);
    await database.withTransaction(async (tx) => {
      await rows.settle(tx, [row], next.kind === 'gone' ? undefined : { dueAt: next.dueAt });
      if (next.kind === 'gone') return await walks.remove(tx, row);
      const isOver = next.set.walkedAt !== undefined && !(await walks.hasIssues(tx, row));
      await (isOver ? walks.remove(tx, row) : walks.change(tx, row, next.set));
    });
  }

  const task: HandleTasksOptions<WalkDocument> = {
    ...{ name: 'walks through issues', rows: turns.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const row of claimed) {
        await withHeartbeats(context, (signal) => step(row, { signal, deadlineMs: CALL_MS }));
      }
    },
  };
  return {
    rows: turns.rows,
    round: () => handleDueTasks(task),
    start: () => startTaskLoop({ ...task, concurrency: CONCURRENCY }),
  };
}
