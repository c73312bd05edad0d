import type { mongo } from 'mongoose';
import type { Clock } from '@clew/kernel';
import type { Database } from './database.ts';
import type { DueContext } from './due-loop.ts';
import type { Claimed, DueRow } from './due-row.ts';
import type { DueRows } from './due-rows.ts';

/** Where a run stands that goes through parts, in rounds. */
export interface RunPosition {
  round: number;
  part: string;
}

/** A due row that is a run: it notes where it stands, and by part and kind how much it has removed (`services`). */
export interface RunRow<Position extends RunPosition> extends DueRow {
  /** Null once it has ended. */
  position: Position | null;
}

/** What a batch has removed, and where the run goes on; undefined where that was the end. */
export interface NotedBatch<Position> {
  removed: Readonly<Record<string, number>>;
  next: Position | undefined;
}

/** How runs are written; each of it holds only for whoever still has the claim. */
export interface RunNotes<Row, Position> {
  /** Notes what a batch has removed, and where the run goes on; false where another process has taken it over. */
  note(claimed: Claimed<Row>, part: string, removed: NotedBatch<Position>['removed'], at: Position): Promise<boolean>;
  /** Ends a turn: the run goes on then. */
  goOnAt(claimed: Claimed<Row>, dueAt: number): Promise<void>;
  /** Ends the run for good, with what its owner says about it. */
  end(claimed: Claimed<Row>, ended: mongo.MatchKeysAndValues<Row>): Promise<void>;
}

export interface TurnOptions<Row, Position> {
  notes: RunNotes<Row, Position>;
  clock: Clock;
  /** Between two rounds. */
  settleMs: number;
  first: Position;
  /** A batch of the part that is next. */
  work(position: Position): Promise<NotedBatch<Position>>;
  /** Once nothing is left. */
  end(): Promise<void>;
}

/** After it the rest of a run waits until others had their turn. */
const MAX_TURN_MS = 10_000;

/** Notes of the runs of a collection. */
export function createRunNotes<Row extends RunRow<Position>, Position extends RunPosition>(
  database: Database,
  collection: mongo.Collection<Row>,
  rows: DueRows<Row>,
): RunNotes<Row, Position> {
  // The driver's types do not follow a generic document.
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

/** Batches of one run: each is noted when it is done, so that whoever comes next goes on from there. */
export async function takeTurn<Row extends RunRow<Position>, Position extends RunPosition>(
  claimed: Claimed<Row>,
  context: DueContext,
  { notes, clock, settleMs, first, work, end }: TurnOptions<Row, Position>,
): Promise<void> {
  const beganAtMs = performance.now();
  let position = claimed.position ?? first;
  while (!context.signal.aborted) {
    if (context.stopping.aborted || performance.now() - beganAtMs > MAX_TURN_MS) {
      return await notes.goOnAt(claimed, clock.now());
    }
    context.beat();
    const { removed, next } = await work(position);
    if (!(await notes.note(claimed, position.part, removed, next ?? position))) return;
    if (next === undefined) return await end();
    const isNextRound = next.round !== position.round;
    position = next;
    if (isNextRound) return await notes.goOnAt(claimed, clock.now() + settleMs);
  }
}
