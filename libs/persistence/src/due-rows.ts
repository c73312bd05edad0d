import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import { backoffMs, type BackOff } from '@clew/kernel';
import type { Backlog } from '@clew/runtime';
import type { Transaction } from './database.ts';

/**
 * The fields of a document that has a due time. Its owner writes `dueAt`, never the one that is there already, in the
 * transaction that makes it due; the others belong to this helper. Times are Unix epoch milliseconds.
 */
export interface DueFields {
  /** Absent or null while nothing is due. */
  dueAt?: number | null;
  /** Until then one process has it. */
  leaseUntil?: number;
  /** Names the claim that the lease belongs to. */
  claim?: string | null;
  /** Claims since it was last settled: more than one say that it fails, or kills its process. */
  attempts?: number;
  /** Set while it waits for a person, or for whatever makes it due again. */
  givenUpAt?: number | null;
  givenUpReason?: string | null;
}

/** The fields as a mongoose schema declares them. */
export const dueFields = {
  ...{ dueAt: Number, leaseUntil: Number, claim: String, attempts: Number },
  ...{ givenUpAt: Number, givenUpReason: String },
} as const;

export type DueRow = DueFields & { _id: string };

/** What a claim says of a row. */
export interface ClaimedRow {
  _id: string;
  dueAt: number;
  claim: string;
  attempts: number;
}

export type Claimed<Row> = Row & ClaimedRow;

export interface DueRowsOptions {
  /** After it another process may take over; longer than the work takes between two beats. */
  leaseMs: number;
  /** How long a row waits that failed; 2 s at first and up to 10 minutes by default. */
  backOff?: BackOff;
  /** A row that was claimed so often without success is given up; by default none ever is. */
  maxAttempts?: number;
  /** Which fields a claim reads, where some are large; those of `DueFields` must be among them. */
  projection?: mongo.Document;
}

/** How a claimed row is written when its work is done: see `settlement`. */
export interface Settlement {
  filter: { _id: string; claim: string };
  set: DueFields;
}

/** The tasks of a collection, each taken by one process at a time. */
export interface DueRows<Row> {
  readonly leaseMs: number;
  /**
   * Takes those that have been due the longest, in that order, in three commands. One that failed before, or killed its
   * process, comes alone, so that it does no harm to others.
   */
  claim(nowMs: number, limit: number): Promise<Claimed<Row>[]>;
  /** The same among the rows of one project, by the index of `ensureTurnIndexes`. */
  claimOf(projectId: string, nowMs: number, limit: number): Promise<Claimed<Row>[]>;
  /** Takes this one if it is due and nobody has it. */
  claimOne(id: string, nowMs: number): Promise<Claimed<Row> | undefined>;
  /**
   * Ends claims in the transaction of their effect, in one command: what was done is due no more, or next at `dueAt`. A
   * row that was made due again after its claim stays so. Throws a ClaimLostError, which is to end the transaction, where
   * another process has taken one over.
   */
  settle(tx: Transaction, claimed: readonly ClaimedRow[], next?: { dueAt: number }): Promise<void>;
  /** Ends claims without any effect, as if they had not been made: for what was not tried. */
  giveBack(claimed: readonly ClaimedRow[]): Promise<void>;
  /** Makes rows due at once that are due later, or not at all, or are in some process's hand: those once more. */
  makeDue(filter: mongo.Filter<Row>, nowMs: number): Promise<void>;
  /** Puts a row off that failed, for longer with every time, or gives it up with the reason: short, and no secret. */
  putOff(claimed: ClaimedRow, nowMs: number, reason: string): Promise<'put off' | 'given up' | 'taken over'>;
  /** Makes leases last again for their whole time; returns how many of the claims still hold. */
  extend(claimed: readonly ClaimedRow[], nowMs: number): Promise<number>;
  /** Those whose claims still hold. */
  stillHeld<Some extends ClaimedRow>(claimed: readonly Some[]): Promise<Some[]>;
  /** What is due, also where a process has it in hand; counted up to 10,000. */
  backlog(nowMs: number): Promise<Backlog>;
  /** The same of one project, among the first 1,000 that are due, so that nobody's backlog makes it dear. */
  backlogOf(projectId: string, nowMs: number): Promise<Omit<Backlog, 'givenUp'>>;
}

/** Another process has taken a row over: the lease had ended. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

const BACK_OFF: BackOff = { firstMs: 2_000, maxMs: 10 * 60_000 };
const MAX_LEASE_FACTOR = 32;
const MAX_REASON_LENGTH = 300;
const COUNT_LIMIT = 10_000;
const SHARE_AMONG = 1_000;
/** The index of the due rows of each project. */
export const TURNS = 'turns';
const ENDED = { leaseUntil: 0, claim: null } as const;
const NEVER_ENDED = 'Whatever claimed it never came to an end with it';

/** The rows of a collection as tasks; the indexes of `ensureDueIndexes` are to be there. */
export function createDueRows<Row extends DueRow>(
  collection: mongo.Collection<Row>,
  options: DueRowsOptions,
): DueRows<Row> {
  const { leaseMs, backOff = BACK_OFF, maxAttempts = Number.POSITIVE_INFINITY } = options;
  // The driver's types do not follow a generic document.
  const rows = collection as unknown as mongo.Collection<DueRow>;
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
      const writes = claimed.map((row) => {
        const set = { ...ENDED, attempts: 0, dueAt: unlessDueAgain(row, next?.dueAt ?? null) };
        return { updateOne: { filter: claimOf(row), update: [{ $set: set }] } };
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
      const own = found.filter((row) => (row as DueRow & { projectId?: string }).projectId === projectId);
      return { waiting: own.length, oldestAgeMs: Math.max(0, nowMs - (own[0]?.dueAt ?? nowMs)) };
    },
  };
}

type ClaimAmong<Row> = (
  among: { _id?: string; projectId?: string },
  nowMs: number,
  limit: number,
) => Promise<Claimed<Row>[]>;

function claimsOf<Row extends DueRow>(rows: mongo.Collection<DueRow>, options: DueRowsOptions): ClaimAmong<Row> {
  const { leaseMs, maxAttempts = Number.POSITIVE_INFINITY, projection } = options;
  const leaseBackOff: BackOff = { firstMs: leaseMs, maxMs: MAX_LEASE_FACTOR * leaseMs };

  /** Those that ended so often without a word, not even of a failure. */
  async function giveUp(ids: readonly string[], nowMs: number): Promise<void> {
    const givenUp = { ...ENDED, dueAt: null, givenUpAt: nowMs, givenUpReason: NEVER_ENDED };
    await rows.updateMany({ _id: { $in: ids }, ...claimableAt(nowMs) }, { $set: givenUp });
  }

  return async function claimAmong(among, nowMs, limit) {
    const hint = among.projectId === undefined ? {} : { hint: TURNS };
    const due = await rows
      .find({ ...among, ...claimableAt(nowMs) }, { projection: { attempts: 1, givenUpAt: 1 }, ...hint })
      // Of one row there is no order: the database would sort it.
      .sort(among._id === undefined ? { dueAt: 1 } : { _id: 1 })
      .limit(limit)
      .toArray();
    const spent = due.filter((row) => !wasGivenUp(row) && attemptsOf(row) >= maxAttempts);
    if (spent.length > 0) {
      await giveUp(idsOf(spent), nowMs);
      return await claimAmong(among, nowMs, limit);
    }
    const [first] = due;
    if (first === undefined) return [];
    const before = attemptsOf(first);
    const _id = { $in: idsOf(before === 0 ? due.filter((row) => attemptsOf(row) === 0) : [first]) };
    // One that was given up, and was made due again, starts anew.
    const attempts = wasGivenUp(first) ? 1 : before + 1;
    // One that kills its process tells nobody: its lease is its back-off.
    const leaseUntil = nowMs + backoffMs(attempts, leaseBackOff);
    const claim = randomUUID();
    const unchanged = { ...claimableAt(nowMs), attempts: before === 0 ? { $not: { $gt: 0 } } : before };
    const startsAnew = wasGivenUp(first) ? { givenUpAt: null, givenUpReason: null } : {};
    const taken = { leaseUntil, claim, attempts, ...startsAnew };
    // However much is due, only these are looked at.
    await rows.updateMany({ _id, ...unchanged }, { $set: taken }, { hint: { _id: 1 } });
    const claimed = await rows.find({ _id, claim }, projection === undefined ? {} : { projection }).toArray();
    const inOrder = claimed as unknown as Claimed<Row>[];
    return inOrder.sort((left, right) => left.dueAt - right.dueAt);
  };
}

/**
 * The write of `settle` for one row, for an owner who writes other fields of it in the same command, and knows by them
 * whether it was made due again since its claim; it has been taken over where the filter matches nothing.
 */
export function settlement(row: ClaimedRow, { isDueAgain }: { isDueAgain: boolean }): Settlement {
  return { filter: claimOf(row), set: { ...ENDED, attempts: 0, ...(isDueAgain ? {} : { dueAt: null }) } };
}

/** Makes the indexes that the rows of a collection need; they hold nothing else than what is due, or was given up. */
export async function ensureDueIndexes<Row extends mongo.Document>(collection: mongo.Collection<Row>): Promise<void> {
  await collection.createIndexes([
    { key: { dueAt: 1, leaseUntil: 1 }, name: 'due', partialFilterExpression: { dueAt: { $gt: 0 } } },
    { key: { givenUpAt: 1 }, name: 'given_up', partialFilterExpression: { givenUpAt: { $gt: 0 } } },
  ]);
}

/** By a negation, since a row that was never claimed has no lease; within the index all the same. */
export function claimableAt(nowMs: number) {
  return { dueAt: { $gt: 0, $lte: nowMs }, leaseUntil: { $not: { $gt: nowMs } } };
}

/** Whoever makes a row due while it is claimed writes another due time. */
function unlessDueAgain({ dueAt }: ClaimedRow, otherwise: number | null) {
  return { $cond: [{ $eq: ['$dueAt', dueAt] }, otherwise, '$dueAt'] };
}

/** Now, or a little before what is there: a claim must see that it has changed. */
function sooner(nowMs: number) {
  return { $min: [nowMs, { $subtract: [{ $ifNull: ['$dueAt', nowMs + 1] }, 1] }] };
}

function claimOf({ _id, claim }: ClaimedRow) {
  return { _id, claim };
}

/** One condition for each claim: a row may come in two of them, of which one has ended. */
function heldBy(claimed: readonly ClaimedRow[]) {
  const byClaim = Map.groupBy(claimed, ({ claim }) => claim);
  return { $or: [...byClaim].map(([claim, rows]) => ({ _id: { $in: idsOf(rows) }, claim })) };
}

function idsOf(some: readonly { _id: string }[]): string[] {
  return some.map(({ _id }) => _id);
}

function wasGivenUp({ givenUpAt }: DueFields): boolean {
  return typeof givenUpAt === 'number';
}

function attemptsOf({ attempts = 0 }: DueFields): number {
  return attempts;
}

/** As a value: an update pipeline would read a text that begins with a dollar sign as a field. */
function textOf(reason: string) {
  return { $literal: reason.slice(0, MAX_REASON_LENGTH) };
}
