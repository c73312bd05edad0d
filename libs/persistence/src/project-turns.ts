import type { mongo } from 'mongoose';
import type { Transaction } from './database.ts';
import { ensureTurnIndex, TURNS } from './task-claims.ts';
import { claimableAt, type ScheduledTask } from './scheduled-task.ts';
import type { ScheduledTasks } from './scheduled-tasks.ts';

/** Row whose work may be sent to a worker: `asked` until an answer arrives or its due time is over. */
export interface HandedOutRow extends ScheduledTask {
  projectId: string;
  state?: string;
}

/** Maximum number of rows that may be claimed or sent out at a time. */
export interface Capacity {
  total: number;
  ofProject: number;
}

export interface ProjectTurnsOptions<Row extends HandedOutRow> {
  collection: mongo.Collection<Row>;
  rows: ScheduledTasks<Row>;
  /** Returns the current capacity. */
  capacity(): Capacity;
}

/** Place of a row in the queue of scheduled tasks. */
export interface Place {
  /**
   * 1 plus the number of rows that are sent out in earlier rounds, in each of which every project has a turn;
   * `MAX_POSITION` stands for itself and everything beyond.
   */
  position: number;
  /** Time since which the row has been due. */
  since: number;
}

/**
 * Rows that are sent out with the projects taking turns: whatever the backlog of one project, the next claim is of
 * another, and no project has more sent out than its share.
 */
export interface ProjectTurns<Row> {
  /**
   * Scheduled tasks for a loop. A claim is all of one project, whose turn it is and which has capacity; empty while no
   * project with a scheduled task has capacity. Tasks that wait for capacity count in the backlog, but do not age there.
   */
  readonly rows: ScheduledTasks<Row>;
  /** Number of new rows of a project that may be sent out without a claim: none while any row is due. */
  freeRoomOf(projectId: string, nowMs: number): Promise<number>;
  /** Number of further rows of a project that may be sent out. */
  roomOf(tx: Transaction, projectId: string, nowMs: number): Promise<number>;
  /** Place of the row that is due first, among the project's rows that match the filter; undefined if none is due. */
  placeOf(projectId: string, filter: mongo.Filter<Row>, nowMs: number): Promise<Place | undefined>;
}

export const MAX_POSITION = 1_000;
/** Scheduled tasks that are read to compute a position, of the project and of the others. */
const MAX_LOOKED_AT = 10_000;
/** Attempts to claim: other processes may have been faster with the rows of a project. */
const MAX_TRIES = 5;
const HANDED_OUT = 'handed_out';
const IN_HAND = 'in_hand';

/** Creates the turns; requires the indexes of `ensureTurnIndexes`. */
export function createProjectTurns<Row extends HandedOutRow>(options: ProjectTurnsOptions<Row>): ProjectTurns<Row> {
  const { rows, capacity } = options;
  // The driver's types do not support a generic document.
  const collection = options.collection as unknown as mongo.Collection<HandedOutRow>;
  let lastProjectId = '';

  /** Finds a row of the project whose turn it is: the next project, by id, that has something due. */
  async function nextProject(without: readonly string[], nowMs: number): Promise<HandedOutRow | undefined> {
    for (const after of new Set([lastProjectId, ''])) {
      const projectId = { $gt: after, $nin: [...without] };
      const found = await collection.findOne(
        { projectId, ...claimableAt(nowMs) },
        { sort: { projectId: 1, dueAt: 1 }, hint: TURNS },
      );
      if (found !== null) return found;
    }
    return undefined;
  }

  async function roomOf(tx: Transaction, projectId: string, nowMs: number): Promise<number> {
    const { ofProject } = capacity();
    const counted = { session: tx, limit: ofProject, hint: HANDED_OUT };
    return ofProject - (await collection.countDocuments({ projectId, ...askedAt(nowMs) }, counted));
  }

  /** Computes the remaining capacity, and the projects that have none. */
  async function roomAt(nowMs: number) {
    const { total, ofProject } = capacity();
    const out = await handedOut(collection, nowMs);
    const left = total - [...out.values()].reduce((sum, count) => sum + count, 0);
    const without = [...out].filter(([, count]) => count >= ofProject).map(([projectId]) => projectId);
    return { left, without, of: (projectId: string) => Math.min(left, ofProject - (out.get(projectId) ?? 0)) };
  }

  const inTurn: Pick<ScheduledTasks<Row>, 'claim' | 'backlog'> = {
    async claim(nowMs, limit) {
      // Most claims find nothing due, and then need no counts.
      let next = await nextProject([], nowMs);
      if (next === undefined) return [];
      const room = await roomAt(nowMs);
      for (let tries = 0; room.left > 0 && tries < MAX_TRIES; tries += 1) {
        if (next === undefined || room.without.includes(next.projectId)) next = await nextProject(room.without, nowMs);
        if (next === undefined) return [];
        lastProjectId = next.projectId;
        const claimed = await rows.claimOf(next.projectId, nowMs, Math.min(limit, room.of(next.projectId)));
        if (claimed.length > 0) return claimed;
        next = undefined;
      }
      return [];
    },
    async backlog(nowMs) {
      const [all, room] = await Promise.all([rows.backlog(nowMs), roomAt(nowMs)]);
      const next = room.left > 0 ? await nextProject(room.without, nowMs) : undefined;
      return { ...all, oldestAgeMs: Math.max(0, nowMs - (next?.dueAt ?? nowMs)) };
    },
  };

  return {
    rows: { ...rows, ...inTurn },
    roomOf,
    async freeRoomOf(projectId, nowMs) {
      if ((await collection.findOne(claimableAt(nowMs), { projection: { _id: 1 } })) !== null) return 0;
      return (await roomAt(nowMs)).of(projectId);
    },
    async placeOf(projectId, filter, nowMs) {
      const due = { dueAt: { $gt: 0, $lte: nowMs } };
      const ofProject = [{ $match: { projectId, ...due } }, { $sort: { dueAt: 1 } }, { $limit: MAX_LOOKED_AT }];
      const meant = [{ $match: filter }, { $limit: 1 }, { $project: { dueAt: 1 } }];
      const [first] = await collection.aggregate<ScheduledTask>([...ofProject, ...meant], { hint: TURNS }).toArray();
      if (first === undefined) return undefined;
      const since = first.dueAt ?? nowMs;
      const earlier = { projectId, dueAt: { $gt: 0, $lt: since } };
      const before = await collection.countDocuments(earlier, { limit: MAX_POSITION, hint: TURNS });
      // Before that row, each other project has as many turns as the row's own project, if it has that much to do.
      const [others] = await collection
        .aggregate<{ count: number }>([
          { $match: { projectId: { $ne: projectId }, ...due } },
          { $limit: MAX_LOOKED_AT },
          { $group: { _id: '$projectId', count: { $sum: 1 } } },
          { $group: { _id: null, count: { $sum: { $min: ['$count', before] } } } },
        ])
        .toArray();
      return { position: Math.min(MAX_POSITION, 1 + before + (others?.count ?? 0)), since };
    },
  };
}

/** Counts, by project, the rows that are sent out and those that a process is about to send out. */
async function handedOut(
  collection: mongo.Collection<HandedOutRow>,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const countBy = async (filter: object, hint: string) => {
    const stages = [{ $match: filter }, { $group: { _id: '$projectId', count: { $sum: 1 } } }];
    return await collection.aggregate<{ _id: string; count: number }>(stages, { hint }).toArray();
  };
  const both = await Promise.all([countBy(askedAt(nowMs), HANDED_OUT), countBy(inHandAt(nowMs), IN_HAND)]);
  const counts = new Map<string, number>();
  for (const { _id, count } of both.flat()) counts.set(_id, (counts.get(_id) ?? 0) + count);
  return counts;
}

/** Filter for rows that are sent out and whose time for an answer is not over. */
function askedAt(nowMs: number) {
  return { state: 'asked', dueAt: { $gt: nowMs } };
}

/** Filter for rows that a process has claimed. */
function inHandAt(nowMs: number) {
  return { leaseUntil: { $gt: nowMs } };
}

/** Creates the indexes that turns need, besides those of scheduled tasks. */
export async function ensureTurnIndexes<Row extends mongo.Document>(collection: mongo.Collection<Row>): Promise<void> {
  await ensureTurnIndex(collection);
  await collection.createIndexes([
    { key: { dueAt: 1, projectId: 1 }, name: HANDED_OUT, partialFilterExpression: { state: 'asked' } },
    { key: { leaseUntil: 1, projectId: 1 }, name: IN_HAND, partialFilterExpression: { leaseUntil: { $gt: 0 } } },
  ]);
}
