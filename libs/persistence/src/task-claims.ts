import { randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import { backoffMs, type BackOff } from '@clew/kernel';
import {
  attemptsOf,
  claimableAt,
  ENDED,
  idsOf,
  wasGivenUp,
  type Claimed,
  type ScheduledTask,
} from './scheduled-task.ts';

export interface ClaimOptions {
  /** Time after which another process may take over; longer than the work takes between two heartbeats. */
  leaseMs: number;
  /** Claims without success after which a task is given up; by default none ever is. */
  maxAttempts?: number;
  /** Fields that a claim reads, if some are large; must include those of `ScheduleFields`. */
  projection?: mongo.Document;
  /**
   * Whether claims rotate among the projects when more is due than one claim takes, so that no project waits for the
   * whole backlog of another: each claim begins with the project after the last one served. Uses the index of
   * `ensureTurnIndex`.
   */
  isInTurn?: boolean;
}

/** Name of the index on the scheduled tasks of each project. */
export const TURNS = 'turns';
const MAX_LEASE_FACTOR = 32;
const READ = { projectId: 1, attempts: 1, givenUpAt: 1 } as const;
const NEVER_ENDED = 'Whatever claimed it never came to an end with it';

type RowInTurn = ScheduledTask & { projectId: string };

interface Among {
  _id?: string;
  projectId?: string;
}

type ClaimAmong<Row> = (among: Among, nowMs: number, limit: number) => Promise<Claimed<Row>[]>;
type FindDue = (nowMs: number, limit: number) => Promise<ScheduledTask[]>;

/** Creates the function that claims scheduled tasks: among all, those of one project, or a single one. */
export function claimsOf<Row extends ScheduledTask>(
  rows: mongo.Collection<ScheduledTask>,
  options: ClaimOptions,
): ClaimAmong<Row> {
  const { leaseMs, maxAttempts = Number.POSITIVE_INFINITY, projection, isInTurn = false } = options;
  const leaseBackOff: BackOff = { firstMs: leaseMs, maxMs: MAX_LEASE_FACTOR * leaseMs };
  const dueInTurn = createTurns(rows);

  /** Gives up tasks whose claims ended too often without any report, not even of a failure. */
  async function giveUp(ids: readonly string[], nowMs: number): Promise<void> {
    const givenUp = { ...ENDED, dueAt: null, givenUpAt: nowMs, givenUpReason: NEVER_ENDED };
    await rows.updateMany({ _id: { $in: ids }, ...claimableAt(nowMs) }, { $set: givenUp });
  }

  async function dueAmong(among: Among, nowMs: number, limit: number): Promise<ScheduledTask[]> {
    const hint = among.projectId === undefined ? {} : { hint: TURNS };
    const due = await rows
      .find({ ...among, ...claimableAt(nowMs) }, { projection: READ, ...hint })
      // A single row needs no order: the database would sort it.
      .sort(among._id === undefined ? { dueAt: 1 } : { _id: 1 })
      .limit(limit)
      .toArray();
    const isOfAll = among._id === undefined && among.projectId === undefined;
    // A claim that takes everything due leaves no project waiting for a turn.
    return isInTurn && isOfAll && due.length === limit ? await dueInTurn(nowMs, limit) : due;
  }

  return async function claimAmong(among, nowMs, limit) {
    const due = await dueAmong(among, nowMs, limit);
    const spent = due.filter((row) => !wasGivenUp(row) && attemptsOf(row) >= maxAttempts);
    if (spent.length > 0) {
      await giveUp(idsOf(spent), nowMs);
      return await claimAmong(among, nowMs, limit);
    }
    const [first] = due;
    if (first === undefined) return [];
    const before = attemptsOf(first);
    const _id = { $in: idsOf(before === 0 ? due.filter((row) => attemptsOf(row) === 0) : [first]) };
    // A task that was given up and made due again starts with a fresh count of attempts.
    const attempts = wasGivenUp(first) ? 1 : before + 1;
    // A task that kills its process reports no failure, so its lease is its back-off.
    const leaseUntil = nowMs + backoffMs(attempts, leaseBackOff);
    const claim = randomUUID();
    const unchanged = { ...claimableAt(nowMs), attempts: before === 0 ? { $not: { $gt: 0 } } : before };
    const startsAnew = wasGivenUp(first) ? { givenUpAt: null, givenUpReason: null } : {};
    const taken = { leaseUntil, claim, attempts, ...startsAnew };
    // The hint makes the update read only these rows, regardless of the backlog.
    await rows.updateMany({ _id, ...unchanged }, { $set: taken }, { hint: { _id: 1 } });
    const claimed = await rows.find({ _id, claim }, projection === undefined ? {} : { projection }).toArray();
    const inOrder = claimed as unknown as Claimed<Row>[];
    return inOrder.sort((left, right) => left.dueAt - right.dueAt);
  };
}

/**
 * Finds the tasks of the next projects, the oldest of each first. A task that failed before ends the list, unless it
 * comes first: the next turn begins with it.
 */
function createTurns(rows: mongo.Collection<ScheduledTask>): FindDue {
  let lastProjectId = '';

  async function dueAfter(projectId: string, nowMs: number, limit: number): Promise<RowInTurn[]> {
    return await rows
      .find<RowInTurn>({ projectId: { $gt: projectId }, ...claimableAt(nowMs) }, { projection: READ, hint: TURNS })
      .sort({ projectId: 1, dueAt: 1 })
      .limit(limit)
      .toArray();
  }

  return async (nowMs, limit) => {
    let due = await dueAfter(lastProjectId, nowMs, limit);
    if (due.length === 0) due = await dueAfter('', nowMs, limit);
    const untilFailed = due.findIndex((row) => attemptsOf(row) > 0);
    const next = untilFailed === -1 ? due : due.slice(0, Math.max(1, untilFailed));
    lastProjectId = next.at(-1)?.projectId ?? '';
    return next;
  };
}

/** Creates the index for claims in turn and for claims of one project. */
export async function ensureTurnIndex<Row extends mongo.Document>(collection: mongo.Collection<Row>): Promise<void> {
  const partialFilterExpression = { dueAt: { $gt: 0 } };
  await collection.createIndex({ projectId: 1, dueAt: 1, leaseUntil: 1 }, { name: TURNS, partialFilterExpression });
}
