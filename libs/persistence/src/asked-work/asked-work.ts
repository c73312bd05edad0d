import type { mongo } from 'mongoose';
import type { Waiting } from '@clew/contracts';
import { describeError, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Circuits } from '../circuits.ts';
import type { Database, Transaction } from '../database.ts';
import { startDueLoop, type DueLoop } from '../due-loop.ts';
import type { Claimed } from '../due-row.ts';
import { createDueRows, type DueRows } from '../due-rows.ts';
import { createProjectTurns, type Capacity, type HandedOutRow } from '../project-turns.ts';

export interface AskedWorkOptions<Row extends HandedOutRow, Some, Known, Taken> {
  /** Its name in the log, and as a part of its process. */
  name: string;
  database: Database;
  collection: mongo.Collection<Row>;
  circuits: Circuits;
  clock: Clock;
  logger: Logger;
  /** Rows in hand of workers, of all projects and of one, as it is known now. */
  capacity(): Capacity;
  /** Rows of a project that are decided on in one transaction, at most. */
  groupSize: number;
  /** A row that failed so often, or killed its process, is given up; by default none ever is. */
  maxAttempts?: number;
  pollMs?: number | undefined;
  /** Reads what a decision needs from elsewhere, before the transaction. Where it fails, the rows are put off. */
  look(projectId: string, claimed: readonly Claimed<Row>[]): Promise<Known>;
  /** Decides on rows of one project in one transaction: each is asked for, put off or ended, and its claim settled. */
  decide(tx: Transaction, projectId: string, claimed: readonly Claimed<Row>[], known: Known): Promise<Taken>;
  /** Runs once the decision has committed. */
  decided?(projectId: string, taken: Taken): Promise<void>;
  /** Since when a row waits that the filter names, for another reason than places; undefined where none does. */
  putOffSince(projectId: string, some: Some): Promise<number | undefined>;
  /** That reason, where all providers answer. */
  putOffReason: Waiting['reason'];
}

/** Work that a service has others do, one command a row, project by project in turn. */
export interface AskedWork<Row, Some = mongo.Filter<Row>> {
  readonly rows: DueRows<Row>;
  start(): DueLoop;
  /** Looks at once for what is due. */
  wake(): void;
  /** Has rows looked at anew that wait for something other than their turn. */
  release(filter: mongo.Filter<Row>): Promise<void>;
  /** How many more rows of a project may be asked for. */
  roomOf(tx: Transaction, projectId: string, nowMs: number): Promise<number>;
  /** Why the next of some rows of a project was not asked for yet; undefined where none waits. */
  waitingOf(projectId: string, some: Some): Promise<Waiting | undefined>;
}

const LEASE_MS = 60_000;
/** Groups of as many projects: one whose models are slow to tell of themselves keeps no other waiting. */
const GROUPS_AT_A_TIME = 4;

/**
 * The sending half of asked work; `createTakeAnswers` is the other. The indexes of `ensureDueIndexes` and
 * `ensureTurnIndexes` are to be there.
 */
export function createAskedWork<Row extends HandedOutRow, Some extends mongo.Filter<Row>, Known, Taken>(
  options: AskedWorkOptions<Row, Some, Known, Taken>,
): AskedWork<Row, Some> {
  const { name, database, collection, circuits, clock, logger, capacity, pollMs } = options;
  const rows = createDueRows(collection, { leaseMs: LEASE_MS, ...attemptsOf(options) });
  const turns = createProjectTurns({ collection, rows, capacity });
  let loop: DueLoop | undefined;

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
    roomOf: turns.roomOf,
    wake: () => loop?.wake(),
    start() {
      loop = startDueLoop({
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
