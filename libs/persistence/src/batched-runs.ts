import type { mongo } from 'mongoose';
import type { Clock } from '@clew/kernel';
import type { Database } from './database.ts';
import type { TaskContext } from './task-loop.ts';
import type { Claimed, ScheduledTask } from './scheduled-task.ts';
import type { ScheduledTasks } from './scheduled-tasks.ts';

/** Position of a run, which goes through parts, in rounds. */
export interface RunPosition {
  round: number;
  part: string;
}

/** Scheduled task of a run: it stores its position, and the number of removals by part and kind (`services`). */
export interface RunRow<Position extends RunPosition> extends ScheduledTask {
  /** Null once the run has ended. */
  position: Position | null;
}

/** Result of one batch: the number of removals, and the next position; undefined at the end of the run. */
export interface NotedBatch<Position> {
  removed: Readonly<Record<string, number>>;
  next: Position | undefined;
}

/** Writes to runs; each takes effect only while the caller still holds the claim. */
export interface RunNotes<Row, Position> {
  /** Records the removals of a batch and the next position; false if another process has taken over the run. */
  note(claimed: Claimed<Row>, part: string, removed: NotedBatch<Position>['removed'], at: Position): Promise<boolean>;
  /** Ends a turn: the run continues at `dueAt`. */
  goOnAt(claimed: Claimed<Row>, dueAt: number): Promise<void>;
  /** Ends the run for good, with the final fields of its owner. */
  end(claimed: Claimed<Row>, ended: mongo.MatchKeysAndValues<Row>): Promise<void>;
}

export interface TurnOptions<Row, Position> {
  notes: RunNotes<Row, Position>;
  clock: Clock;
  /** Pause between two rounds. */
  settleMs: number;
  first: Position;
  /** Processes one batch at the position. */
  work(position: Position): Promise<NotedBatch<Position>>;
  /** Runs once nothing is left. */
  end(): Promise<void>;
}

/** Maximum length of a turn; afterwards the run waits until others have had their turn. */
const MAX_TURN_MS = 10_000;

/** Creates the notes for the runs of a collection. */
export function createRunNotes<Row extends RunRow<Position>, Position extends RunPosition>(
  database: Database,
  collection: mongo.Collection<Row>,
  rows: ScheduledTasks<Row>,
): RunNotes<Row, Position> {
  // The driver's types do not support a generic document.
  const runs = collection as unknown as mongo.Collection<RunRow<Position>>;
  return {
    async note({ _id, claim }, part, removed, position) {
      const counts = Object.entries(removed).filter(([, count]) => count > 0);
      const added = Object.fromEntries(counts.map(([kind, count]) => [`services.${part}.${kind}`, count]));
      const change: mongo.Document = { $set: { position }, ...(counts.length === 0 ? {} : { $inc: added }) };
      const { matchedCount } = await runs.updateOne({ _id, claim }, change);
      return matchedCount === 1;
    },
    async goOnAt(claimed, dueAt) {
      await database.withTransaction((tx) => rows.settle(tx, [claimed], { dueAt }));
    },
    async end(claimed, ended) {
      const { _id, claim } = claimed;
      const change: mongo.Document = { $set: { ...ended, position: null } };
      await database.withTransaction(async (tx) => {
        await runs.updateOne({ _id, claim }, change, { session: tx });
        await rows.settle(tx, [claimed]);
      });
    },
  };
}

/** Processes batches of one run. Each is recorded when it is done, so that the next process continues after it. */
export async function takeTurn<Row extends RunRow<Position>, Position extends RunPosition>(
  claimed: Claimed<Row>,
  context: TaskContext,
  { notes, clock, settleMs, first, work, end }: TurnOptions<Row, Position>,
): Promise<void> {
  const beganAtMs = performance.now();
  let position = claimed.position ?? first;
  while (!context.signal.aborted) {
    if (context.stopping.aborted || performance.now() - beganAtMs > MAX_TURN_MS) {
      return await notes.goOnAt(claimed, clock.now());
    }
    context.heartbeat();
    const { removed, next } = await work(position);
    if (!(await notes.note(claimed, position.part, removed, next ?? position))) return;
    if (next === undefined) return await end();
    const isNextRound = next.round !== position.round;
    position = next;
    if (isNextRound) return await notes.goOnAt(claimed, clock.now() + settleMs);
  }
}
