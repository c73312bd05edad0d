import type { mongo } from 'mongoose';
import type { Transaction } from './database.ts';
import { ensureTurnIndex, TURNS } from './due-claims.ts';
import { claimableAt, type DueRow } from './due-row.ts';
import type { DueRows } from './due-rows.ts';

/** A row whose work may be handed out to somebody else: `asked` until an answer comes, or its due time is over. */
export interface HandedOutRow extends DueRow {
  projectId: string;
  state?: string;
}

/** How many rows may be claimed or handed out at a time. */
export interface Capacity {
  total: number;
  ofProject: number;
}

export interface ProjectTurnsOptions<Row extends HandedOutRow> {
  collection: mongo.Collection<Row>;
  rows: DueRows<Row>;
  /** As it is known now. */
  capacity(): Capacity;
}

/** Where a row stands among those that are due. */
export interface Place {
  /**
   * 1 and how many are handed out in earlier rounds, in each of which every project has a turn; `MAX_POSITION` stands
   * for itself and all that is beyond it.
   */
  position: number;
  /** Since when the row has been due. */
  since: number;
}

/**
 * Rows that projects have handed out in turn: however many one of them has, the next claim is of another, and no project
 * has more handed out than its share.
 */
export interface ProjectTurns<Row> {
  /**
   * For a loop. A claim is all of one project, whose turn it is and which has room; none while no project with something
   * due has room. What waits for room is counted in the backlog, and does not age there.
   */
  readonly rows: DueRows<Row>;
  /** How many more of a project may be handed out. */
  roomOf(tx: Transaction, projectId: string, nowMs: number): Promise<number>;
  /** The place of the row that is due first, of those of a project that the filter names; undefined where none is due. */
  placeOf(projectId: string, filter: mongo.Filter<Row>, nowMs: number): Promise<Place | undefined>;
}

export const MAX_POSITION = 1_000;
/** Due rows that are looked at for a position, of the project and of the others. */
const MAX_LOOKED_AT = 10_000;
/** Other processes may have been faster with the rows of a project. */
const MAX_TRIES = 5;
const HANDED_OUT = 'handed_out';
const IN_HAND = 'in_hand';

/** The indexes of `ensureTurnIndexes` are to be there. */
export function createProjectTurns<Row extends HandedOutRow>(options: ProjectTurnsOptions<Row>): ProjectTurns<Row> {
  const { rows, capacity } = options;
  // The driver's types do not follow a generic document.
  const collection = options.collection as unknown as mongo.Collection<HandedOutRow>;
  let lastProjectId = '';

  /** By project, what is handed out, and what some process is about to hand out. */
  async function handedOut(nowMs: number): Promise<ReadonlyMap<string, number>> {
    const countBy = async (filter: object, hint: string) => {
      const stages = [{ $match: filter }, { $group: { _id: '$projectId', count: { $sum: 1 } } }];
      return await collection.aggregate<{ _id: string; count: number }>(stages, { hint }).toArray();
    };
    const both = await Promise.all([countBy(askedAt(nowMs), HANDED_OUT), countBy(inHandAt(nowMs), IN_HAND)]);
    const counts = new Map<string, number>();
    for (const { _id, count } of both.flat()) counts.set(_id, (counts.get(_id) ?? 0) + count);
    return counts;
  }

  /** A row of the project whose turn it is: the next one, by its id, of those that have something due. */
  async function nextProject(without: readonly string[], nowMs: number): Promise<HandedOutRow | undefined> {
    for (const after of [lastProjectId, '']) {
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

  /** What room there is now, and who has none. */
  async function roomAt(nowMs: number) {
    const { total, ofProject } = capacity();
    const out = await handedOut(nowMs);
    const left = total - [...out.values()].reduce((sum, count) => sum + count, 0);
    const without = [...out].filter(([, count]) => count >= ofProject).map(([projectId]) => projectId);
    return { left, without, of: (projectId: string) => Math.min(left, ofProject - (out.get(projectId) ?? 0)) };
  }

  const inTurn: Pick<DueRows<Row>, 'claim' | 'backlog'> = {
    async claim(nowMs, limit) {
      const room = await roomAt(nowMs);
      for (let tries = 0; room.left > 0 && tries < MAX_TRIES; tries += 1) {
        const next = await nextProject(room.without, nowMs);
        if (next === undefined) return [];
        lastProjectId = next.projectId;
        const claimed = await rows.claimOf(next.projectId, nowMs, Math.min(limit, room.of(next.projectId)));
        if (claimed.length > 0) return claimed;
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
    async placeOf(projectId, filter, nowMs) {
      const due = { dueAt: { $gt: 0, $lte: nowMs } };
      const ofProject = [{ $match: { projectId, ...due } }, { $sort: { dueAt: 1 } }, { $limit: MAX_LOOKED_AT }];
      const meant = [{ $match: filter }, { $limit: 1 }, { $project: { dueAt: 1 } }];
      const [first] = await collection.aggregate<DueRow>([...ofProject, ...meant], { hint: TURNS }).toArray();
      if (first === undefined) return undefined;
      const since = first.dueAt ?? nowMs;
      const earlier = { projectId, dueAt: { $gt: 0, $lt: since } };
      const before = await collection.countDocuments(earlier, { limit: MAX_POSITION, hint: TURNS });
      // Each other project has as many turns before that row as the row's own project has, if it has so much to do.
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

/** What is handed out, and not forgotten. */
function askedAt(nowMs: number) {
  return { state: 'asked', dueAt: { $gt: nowMs } };
}

/** What a process has claimed. */
function inHandAt(nowMs: number) {
  return { leaseUntil: { $gt: nowMs } };
}

/** Makes the indexes that turns need, beside those of due rows. */
export async function ensureTurnIndexes<Row extends mongo.Document>(collection: mongo.Collection<Row>): Promise<void> {
  await ensureTurnIndex(collection);
  await collection.createIndexes([
    { key: { dueAt: 1, projectId: 1 }, name: HANDED_OUT, partialFilterExpression: { state: 'asked' } },
    { key: { leaseUntil: 1, projectId: 1 }, name: IN_HAND, partialFilterExpression: { leaseUntil: { $gt: 0 } } },
  ]);
}
