import { backoffMs, createLimiter, describeError, type BackOff, type Clock } from '@clew/kernel';
import {
  Wakeup,
  WorkInHand,
  type Backlog,
  type Logger,
  type BackgroundTask,
  type Work,
  type WorkOutcome,
} from '@clew/runtime';
import type { Claimed, ClaimedTask } from './scheduled-task.ts';
import type { ScheduledTasks } from './scheduled-tasks.ts';

export interface TaskContext {
  /** Aborted when the result no longer counts: the claim was lost, or the process stops and cannot wait. */
  signal: AbortSignal;
  /** Aborted once the process stops: long work that has not begun should be given back. */
  stopping: AbortSignal;
  /** Heartbeat, to be called during long work: it shows that the work is not stuck, and renews the lease. */
  heartbeat(): void;
}

export interface HandleTasksOptions<Row> {
  rows: ScheduledTasks<Row>;
  clock: Clock;
  logger: Logger;
  /** Name in the log. */
  name: string;
  /** Maximum number of tasks per claim; 100 by default. */
  limit?: number;
  /**
   * Resolves once each task is settled or given back. When it rejects, it is called again with each task alone that is
   * still claimed. It must therefore have left the others unchanged: one transaction for all of them, or one for each.
   */
  handle(claimed: readonly Claimed<Row>[], context: TaskContext): Promise<void>;
}

export interface TaskLoopOptions<Row> extends HandleTasksOptions<Row> {
  /** Polling interval; 1,000 by default, well below a minute. */
  pollMs?: number;
  /** Number of groups that are handled in parallel; 1 by default. */
  concurrency?: number;
  /** Time that `stop()` waits for the work in hand; 20,000 by default. */
  drainTimeoutMs?: number;
}

/** Background task that handles scheduled tasks as they become due. */
export interface TaskLoop extends BackgroundTask {
  /**
   * Milliseconds since the last heartbeat, for liveness. The loop also gives heartbeats while it waits for a database
   * that is away, but not while a group stays in hand without one.
   */
  heartbeatAgeMs(): number;
  backlog(): Promise<Backlog>;
  /** Signals that a task is due now. */
  wake(): void;
  /** Claims no more, finishes the work in hand within the drain time, and gives the rest back. */
  stop(): Promise<void>;
}

const DRAIN_TIMEOUT_MS = 20_000;
const MAX_BACK_OFF_MS = 5_000;
const DEFAULT_LIMIT = 100;
/** Share of a lease after which it is renewed. */
const RENEWED_SHARE = 1 / 3;

/**
 * Passes the tasks that are due to `handle`. A group that fails is split, so that only the failing tasks are postponed.
 */
export function startTaskLoop<Row>(options: TaskLoopOptions<Row>): TaskLoop {
  const { rows, clock, logger, name, pollMs = 1_000, limit = DEFAULT_LIMIT } = options;
  const backOff: BackOff = { firstMs: pollMs, maxMs: Math.max(pollMs, MAX_BACK_OFF_MS) };
  const groups = createLimiter(options.concurrency ?? 1);
  const wakeup = new Wakeup();
  const inHand = new WorkInHand();
  const claimedInHand = new Set<readonly Claimed<Row>[]>();
  const [stopping, abandoned] = [new AbortController(), new AbortController()];
  let turnedAtMs = Date.now();
  let isWaitingOutside = false;

  async function claimMore(): Promise<number> {
    const leave = await groups.enter(stopping.signal);
    let claimed: Claimed<Row>[] = [];
    try {
      claimed = await rows.claim(clock.now(), limit);
    } finally {
      if (claimed.length === 0) leave();
      else void seeThroughInHand(claimed).finally(leave);
    }
    return claimed.length;
  }

  async function seeThroughInHand(claimed: readonly Claimed<Row>[]): Promise<void> {
    const work = inHand.begin();
    claimedInHand.add(claimed);
    let outcome: WorkOutcome = 'abandoned';
    try {
      if (stopping.signal.aborted) await rows.giveBack(claimed);
      else
        outcome = await seeThrough(options, claimed, { stopping: stopping.signal, abandoned: abandoned.signal, work });
    } catch (error) {
      logger.error({ err: error, task: name }, 'scheduled tasks are left until their lease ends');
    } finally {
      claimedInHand.delete(claimed);
      work.end(outcome);
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      isWaitingOutside = true;
      const count = await claimMore().catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.warn({ err: error, task: name }, 'could not look for what is due');
        return undefined;
      });
      isWaitingOutside = false;
      turnedAtMs = Date.now();
      failures = count === undefined ? failures + 1 : 0;
      if (count === 0) await wakeup.wait(pollMs);
      if (count === undefined) await wakeup.waitFully(backoffMs(failures, backOff));
    }
  }

  const finished = run();
  return {
    name,
    takesWork: true,
    wake: () => wakeup.wake(),
    backlog: () => rows.backlog(clock.now()),
    onWorkEnded: (tell) => inHand.onEnd(tell),
    heartbeatAgeMs() {
      const nowMs = Date.now();
      return nowMs - Math.min(isWaitingOutside ? nowMs : turnedAtMs, inHand.oldestHeartbeatAtMs() ?? nowMs);
    },
    async stop() {
      stopping.abort();
      wakeup.end();
      await finished;
      if (await inHand.finished(options.drainTimeoutMs ?? DRAIN_TIMEOUT_MS)) return;
      abandoned.abort();
      await rows.giveBack([...claimedInHand].flat()).catch((error: unknown) => {
        logger.warn({ err: error, task: name }, 'could not give back what was in hand');
      });
    },
  };
}

/** Runs one round of a loop: claims the tasks that are due and handles them. Returns their number. */
export async function handleDueTasks<Row>(options: HandleTasksOptions<Row>): Promise<number> {
  const claimed = await options.rows.claim(options.clock.now(), options.limit ?? DEFAULT_LIMIT);
  const never = new AbortController().signal;
  const work: Work = { heartbeat: () => undefined, end: () => undefined };
  if (claimed.length > 0) await seeThrough(options, claimed, { stopping: never, abandoned: never, work });
  return claimed.length;
}

interface Ends {
  stopping: AbortSignal;
  abandoned: AbortSignal;
  work: Work;
}

/** Handles a group; if it fails, handles each of its tasks alone. */
async function seeThrough<Row>(
  options: HandleTasksOptions<Row>,
  group: readonly Claimed<Row>[],
  ends: Ends,
): Promise<WorkOutcome> {
  const { rows, logger, name } = options;
  const keeper = keepClaims(options, group);
  const context: TaskContext = {
    signal: AbortSignal.any([keeper.lost, ends.abandoned]),
    stopping: ends.stopping,
    heartbeat() {
      ends.work.heartbeat();
      keeper.heartbeat();
    },
  };
  const { outcome, error } = await attempt(options, group, context);
  if (outcome !== 'failed') return outcome;
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) {
    await putOff(options, only, error);
    return outcome;
  }
  logger.warn({ err: error, task: name, size: group.length }, 'scheduled tasks failed, taking the group apart');
  const left = await rows.stillHeld(group);
  for (const [index, row] of left.entries()) {
    // A task that was not tried alone has not failed.
    if (ends.stopping.aborted) {
      await rows.giveBack(left.slice(index));
      return outcome;
    }
    context.heartbeat();
    const own = await attempt(options, [row], context);
    if (own.outcome === 'failed') await putOff(options, row, own.error);
  }
  return outcome;
}

/** Logs what the handler threw, unless the result no longer counts. */
async function attempt<Row>(
  { handle }: HandleTasksOptions<Row>,
  claimed: readonly Claimed<Row>[],
  context: TaskContext,
): Promise<{ outcome: WorkOutcome; error?: unknown }> {
  try {
    await handle(claimed, context);
    return { outcome: context.signal.aborted ? 'abandoned' : 'done' };
  } catch (error) {
    return context.signal.aborted ? { outcome: 'abandoned' } : { outcome: 'failed', error };
  }
}

async function putOff<Row>(options: HandleTasksOptions<Row>, row: Claimed<Row>, error: unknown): Promise<void> {
  const { rows, clock, logger, name } = options;
  const outcome = await rows.putOff(row, clock.now(), describeError(error));
  const about = { err: error, task: name, rowId: row._id, attempts: row.attempts };
  if (outcome === 'given up') logger.error(about, 'a scheduled task failed and was given up');
  else logger.warn(about, `a scheduled task failed and was ${outcome}`);
}

/** Renews the leases of a group while it gives heartbeats; a database that does not answer leaves them as they are. */
function keepClaims<Row>({ rows, clock, logger, name }: HandleTasksOptions<Row>, group: readonly ClaimedTask[]) {
  const lost = new AbortController();
  let keptAtMs = clock.now();
  let isUnderWay = false;

  async function extend(): Promise<void> {
    try {
      if ((await rows.extend(group, clock.now())) === 0) lost.abort();
    } catch (error) {
      logger.warn({ err: error, task: name }, 'could not make the lease of scheduled tasks last');
    }
  }

  return {
    lost: lost.signal,
    heartbeat(): void {
      if (isUnderWay || clock.now() - keptAtMs < rows.leaseMs * RENEWED_SHARE) return;
      keptAtMs = clock.now();
      isUnderWay = true;
      void extend().finally(() => (isUnderWay = false));
    },
  };
}
