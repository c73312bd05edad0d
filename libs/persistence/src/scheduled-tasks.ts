import type { mongo } from 'mongoose';
import { backoffMs, type BackOff } from '@clew/kernel';
import type { Backlog } from '@clew/runtime';
import type { Transaction } from './database.ts';
import { claimsOf, type ClaimOptions } from './task-claims.ts';
import {
  ENDED,
  idsOf,
  type Claimed,
  type ClaimedTask,
  type ScheduleFields,
  type ScheduledTask,
} from './scheduled-task.ts';

export interface ScheduledTasksOptions extends ClaimOptions {
  /** Back-off of a task that failed; from 2 s up to 10 minutes by default. */
  backOff?: BackOff;
}

/** Write that ends the claim of a task when its work is done: see `settlement`. */
export interface Settlement {
  filter: { _id: string; claim: string };
  set: ScheduleFields;
}

/** Scheduled tasks of a collection, each held by one process at a time. */
export interface ScheduledTasks<Row> {
  readonly leaseMs: number;
  /**
   * Claims the tasks that have been due the longest, in that order, in three commands; if projects take turns, those of
   * the next projects. A task that failed before, or killed its process, is claimed alone, so that it does no harm to
   * others.
   */
  claim(nowMs: number, limit: number): Promise<Claimed<Row>[]>;
  /** Claims like `claim` among the tasks of one project, using the index of `ensureTurnIndex`. */
  claimOf(projectId: string, nowMs: number, limit: number): Promise<Claimed<Row>[]>;
  /** Claims this task if it is due and not held. */
  claimOne(id: string, nowMs: number): Promise<Claimed<Row> | undefined>;
  /**
   * Ends claims in the transaction of their effect, in one command: the tasks are no longer due, or due next at
   * `dueAt`. A task that was made due again after its claim stays so. Throws a ClaimLostError, which is to abort the
   * transaction, if another process has taken one over.
   */
  settle(tx: Transaction, claimed: readonly ClaimedTask[], next?: { dueAt: number }): Promise<void>;
  /** Ends claims without any effect, as if they had not been made: for tasks that were not tried. */
  giveBack(claimed: readonly ClaimedTask[]): Promise<void>;
  /** Makes tasks due at once that are due later or not at all; tasks that a process holds become due once more. */
  makeDue(filter: mongo.Filter<Row>, nowMs: number): Promise<void>;
  /**
   * Postpones a failed task, longer with each failure, or gives it up. The reason is stored: short, and without
   * secrets.
   */
  putOff(claimed: ClaimedTask, nowMs: number, reason: string): Promise<'put off' | 'given up' | 'taken over'>;
  /** Renews leases for their full time; returns how many of the claims still hold. */
  extend(claimed: readonly ClaimedTask[], nowMs: number): Promise<number>;
  /** Returns those whose claims still hold. */
  stillHeld<Some extends ClaimedTask>(claimed: readonly Some[]): Promise<Some[]>;
  /** Counts the tasks that are due, including those that a process holds; up to 10,000. */
  backlog(nowMs: number): Promise<Backlog>;
  /**
   * Counts like `backlog` for one project, among the first 1,000 tasks due, so that another's backlog does not make it
   * slow.
   */
  backlogOf(projectId: string, nowMs: number): Promise<Omit<Backlog, 'givenUp'>>;
}

/** Signals that another process has taken over a task after its lease had ended. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

const BACK_OFF: BackOff = { firstMs: 2_000, maxMs: 10 * 60_000 };
const MAX_REASON_LENGTH = 300;
const COUNT_LIMIT = 10_000;
const SHARE_AMONG = 1_000;

/** Creates the scheduled tasks of a collection; requires the indexes of `ensureScheduleIndexes`. */
export function createScheduledTasks<Row extends ScheduledTask>(
  collection: mongo.Collection<Row>,
  options: ScheduledTasksOptions,
): ScheduledTasks<Row> {
  const { leaseMs, backOff = BACK_OFF, maxAttempts = Number.POSITIVE_INFINITY } = options;
  // The driver's types do not support a generic document.
  const rows = collection as unknown as mongo.Collection<ScheduledTask>;
  const claimAmong = claimsOf<Row>(rows, options);

  return {
    leaseMs,
    claim: (nowMs, limit) => claimAmong({}, nowMs, limit),
    claimOf: (projectId, nowMs, limit) => claimAmong({ projectId }, nowMs, limit),
    async claimOne(id, nowMs) {
      const [claimed] = await claimAmong({ _id: id }, nowMs, 1);
      return claimed;
    },
    async settle(tx, claimed, next) {
      if (claimed.length === 0) return;
      // Tasks of one claim that were made due together are settled together.
      const alike = Map.groupBy(claimed, ({ claim, dueAt }) => `${dueAt} ${claim}`);
      const writes = [...alike.values()].flatMap((some) => {
        const [first] = some;
        if (first === undefined) return [];
        const set = { ...ENDED, attempts: 0, dueAt: unlessDueAgain(first, next?.dueAt ?? null) };
        const filter = { _id: { $in: idsOf(some) }, claim: first.claim };
        return { updateMany: { filter, update: [{ $set: set }], hint: { _id: 1 } } };
      });
      const { matchedCount } = await rows.bulkWrite(writes, { session: tx, ordered: true });
      if (matchedCount < claimed.length) throw new ClaimLostError('Another process has taken over what was claimed');
    },
    async giveBack(claimed) {
      if (claimed.length > 0) await rows.updateMany(heldBy(claimed), { $set: ENDED, $inc: { attempts: -1 } });
    },
    async makeDue(filter, nowMs) {
      await collection.updateMany(filter, [{ $set: { dueAt: sooner(nowMs) } }]);
    },
    async putOff(row, nowMs, reason) {
      const isLast = row.attempts >= maxAttempts;
      const set = isLast
        ? { dueAt: unlessDueAgain(row, null), givenUpAt: nowMs, givenUpReason: textOf(reason) }
        : { dueAt: { $max: ['$dueAt', nowMs + backoffMs(row.attempts, backOff)] } };
      const { matchedCount } = await rows.updateOne(claimOf(row), [{ $set: { ...ENDED, ...set } }]);
      if (matchedCount === 0) return 'taken over';
      return isLast ? 'given up' : 'put off';
    },
    async extend(claimed, nowMs) {
      if (claimed.length === 0) return 0;
      const held = await rows.updateMany(heldBy(claimed), { $max: { leaseUntil: nowMs + leaseMs } });
      return held.matchedCount;
    },
    async stillHeld(claimed) {
      if (claimed.length === 0) return [];
      const found = await rows.find(heldBy(claimed), { projection: { claim: 1 } }).toArray();
      const claimOfRow = new Map(found.map(({ _id, claim }) => [_id, claim]));
      return claimed.filter(({ _id, claim }) => claimOfRow.get(_id) === claim);
    },
    async backlog(nowMs) {
      const due = { dueAt: { $gt: 0, $lte: nowMs } };
      const [waiting, givenUp, first] = await Promise.all([
        rows.countDocuments(due, { limit: COUNT_LIMIT }),
        rows.countDocuments({ givenUpAt: { $gt: 0 } }, { limit: COUNT_LIMIT }),
        rows.findOne(due, { sort: { dueAt: 1 }, projection: { dueAt: 1 } }),
      ]);
      return { waiting, oldestAgeMs: Math.max(0, nowMs - (first?.dueAt ?? nowMs)), givenUp };
    },
    async backlogOf(projectId, nowMs) {
      const first = rows.find({ dueAt: { $gt: 0, $lte: nowMs } }, { projection: { projectId: 1, dueAt: 1 } });
      const found = await first.sort({ dueAt: 1 }).limit(SHARE_AMONG).toArray();
      const own = found.filter((row) => (row as ScheduledTask & { projectId?: string }).projectId === projectId);
      return { waiting: own.length, oldestAgeMs: Math.max(0, nowMs - (own[0]?.dueAt ?? nowMs)) };
    },
  };
}

/**
 * Write of `settle` for one task, for an owner that writes other fields in the same command and can tell by them
 * whether the task was made due again since its claim. If the filter matches nothing, another process has taken the
 * task over.
 */
export function settlement(row: ClaimedTask, { isDueAgain }: { isDueAgain: boolean }): Settlement {
  return { filter: claimOf(row), set: { ...ENDED, attempts: 0, ...(isDueAgain ? {} : { dueAt: null }) } };
}

/** Creates the indexes for scheduled tasks; they contain only tasks that are due or were given up. */
export async function ensureScheduleIndexes<Row extends mongo.Document>(
  collection: mongo.Collection<Row>,
): Promise<void> {
  await collection.createIndexes([
    { key: { dueAt: 1, leaseUntil: 1 }, name: 'due', partialFilterExpression: { dueAt: { $gt: 0 } } },
    { key: { givenUpAt: 1 }, name: 'given_up', partialFilterExpression: { givenUpAt: { $gt: 0 } } },
  ]);
}

/** Making a task due while it is claimed changes its due time, which this comparison detects. */
function unlessDueAgain({ dueAt }: ClaimedTask, otherwise: number | null) {
  return { $cond: [{ $eq: ['$dueAt', dueAt] }, otherwise, '$dueAt'] };
}

/** Computes a new due time: now, or 1 ms before the existing one, because a claim must see that it has changed. */
function sooner(nowMs: number) {
  return { $min: [nowMs, { $subtract: [{ $ifNull: ['$dueAt', nowMs + 1] }, 1] }] };
}

function claimOf({ _id, claim }: ClaimedTask) {
  return { _id, claim };
}

/** Uses one condition per claim: a row may occur in two claims, one of which has ended. */
function heldBy(claimed: readonly ClaimedTask[]) {
  const byClaim = Map.groupBy(claimed, ({ claim }) => claim);
  return { $or: [...byClaim].map(([claim, rows]) => ({ _id: { $in: idsOf(rows) }, claim })) };
}

/** Literal value: an update pipeline would read a text that begins with a dollar sign as a field. */
function textOf(reason: string) {
  return { $literal: reason.slice(0, MAX_REASON_LENGTH) };
}
