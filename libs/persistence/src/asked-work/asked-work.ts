import type { mongo } from 'mongoose';
import type { Waiting } from '@clew/contracts';
import { describeError, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Circuits } from '../circuits.ts';
import type { Database, Transaction } from '../database.ts';
import { startTaskLoop, type TaskLoop } from '../task-loop.ts';
import type { Claimed } from '../scheduled-task.ts';
import { createScheduledTasks, type ScheduledTasks } from '../scheduled-tasks.ts';
import { createProjectTurns, type Capacity, type HandedOutRow } from '../project-turns.ts';

export interface AskedWorkOptions<Row extends HandedOutRow, Some, Known, Taken> {
  /** Name in the log and of the background task. */
  name: string;
  database: Database;
  collection: mongo.Collection<Row>;
  circuits: Circuits;
  clock: Clock;
  logger: Logger;
  /** Current capacity: rows that workers may have in hand, over all projects and for one project. */
  capacity(): Capacity;
  /** Maximum number of rows of one project that are decided on in one transaction. */
  groupSize: number;
  /** Failed attempts, or killed processes, after which a row is given up; by default none ever is. */
  maxAttempts?: number;
  pollMs?: number | undefined;
  /** Reads what a decision needs from other services, before the transaction. If it fails, the rows are postponed. */
  look(projectId: string, claimed: readonly Claimed<Row>[]): Promise<Known>;
  /**
   * Decides on rows of one project in one transaction: each is sent to a worker, postponed or ended, and its claim
   * settled.
   */
  decide(tx: Transaction, projectId: string, claimed: readonly Claimed<Row>[], known: Known): Promise<Taken>;
  /** Runs after the decision has committed. */
  decided?(projectId: string, taken: Taken): Promise<void>;
  /**
   * Time since which a row named by the filter has been waiting for a reason other than capacity; undefined if no row
   * does.
   */
  putOffSince(projectId: string, some: Some): Promise<number | undefined>;
  /** Reason to report for such a row when all providers answer. */
  putOffReason: Waiting['reason'];
}

/** Work that a service delegates to workers: one command per row, with the projects taking turns. */
export interface AskedWork<Row, Some = mongo.Filter<Row>> {
  readonly rows: ScheduledTasks<Row>;
  start(): TaskLoop;
  /** Looks for scheduled tasks at once. */
  wake(): void;
  /** Makes rows due again that wait for something other than their turn. */
  release(filter: mongo.Filter<Row>): Promise<void>;
  /** Number of new rows of a project that may be inserted as sent to workers: none while any row is due. */
  freeRoomOf(projectId: string, nowMs: number): Promise<number>;
  /** Number of further rows of a project that may be sent to workers. */
  roomOf(tx: Transaction, projectId: string, nowMs: number): Promise<number>;
  /** Reason why the next of some rows of a project has not been sent yet; undefined if none waits. */
  waitingOf(projectId: string, some: Some): Promise<Waiting | undefined>;
}

const LEASE_MS = 60_000;
/** Groups handled in parallel, so that a project whose models are slow to look up does not delay the others. */
const GROUPS_AT_A_TIME = 4;

/**
 * Sending half of asked work; `createTakeAnswers` is the receiving half. Requires the indexes of `ensureScheduleIndexes` and
 * `ensureTurnIndexes`.
 */
export function createAskedWork<Row extends HandedOutRow, Some extends mongo.Filter<Row>, Known, Taken>(
  options: AskedWorkOptions<Row, Some, Known, Taken>,
): AskedWork<Row, Some> {
  const { name, database, collection, circuits, clock, logger, capacity, pollMs } = options;
  const rows = createScheduledTasks(collection, { leaseMs: LEASE_MS, ...attemptsOf(options) });
  const turns = createProjectTurns({ collection, rows, capacity });
  let loop: TaskLoop | undefined;

  async function handle(projectId: string, claimed: readonly Claimed<Row>[]): Promise<void> {
    let known: Known;
    try {
      known = await options.look(projectId, claimed);
    } catch (error) {
      logger.warn({ err: error, task: name, projectId }, 'asked work is put off');
      for (const row of claimed) await rows.putOff(row, clock.now(), describeError(error));
      return;
    }
    const taken = await database.withTransaction((tx) => options.decide(tx, projectId, claimed, known));
    await options.decided?.(projectId, taken);
  }

  return {
    rows,
    freeRoomOf: turns.freeRoomOf,
    roomOf: turns.roomOf,
    wake: () => loop?.wake(),
    start() {
      loop = startTaskLoop({
        ...{ name, rows: turns.rows, clock, logger, limit: options.groupSize, concurrency: GROUPS_AT_A_TIME },
        ...(pollMs === undefined ? {} : { pollMs }),
        async handle(claimed) {
          const [first] = claimed;
          if (first !== undefined) await handle(first.projectId, claimed);
        },
      });
      return loop;
    },
    async release(filter) {
      await rows.makeDue(filter, clock.now());
      loop?.wake();
    },
    async waitingOf(projectId, some) {
      const nowMs = clock.now();
      const place = await turns.placeOf(projectId, some, nowMs);
      if (place !== undefined) return { reason: 'places', ...place };
      const since = await options.putOffSince(projectId, some);
      if (since === undefined) return undefined;
      return { reason: (await circuits.isAnyOpen(projectId, nowMs)) ? 'provider' : options.putOffReason, since };
    },
  };
}

function attemptsOf({ maxAttempts }: { maxAttempts?: number }) {
  return maxAttempts === undefined ? {} : { maxAttempts };
}
