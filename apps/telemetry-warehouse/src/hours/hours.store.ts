import type { SeriesOfConversations } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import type { mongo } from 'mongoose';
import { conversationCollection, type ConversationDocument } from '../conversations/index.ts';
import { addDayFigures, DAY_MS, dayOf } from './day-figures.ts';
import type { FigureSums } from './figure-sums.ts';
import { foldRows } from './fold-hours.ts';
import {
  dayCollection,
  hourCollection,
  seriesNamesCollection,
  type DayRow,
  type HourFigures,
} from './hour-row.model.ts';
import { HourChanges, seriesOf, shareOf, valuesOf, type IsTold, type Shared } from './hour-share.ts';

/** Hours of a series; an interval has its figures from the hours that begin in it. */
export interface SeriesRange {
  startMs: number;
  endMs: number;
  intervalMs: number;
}

/** Hourly figures of conversations. */
export interface HourStore {
  /**
   * Brings the figures up to date with conversations that were written in the transaction: each conversation notes the
   * share that it has in them, so that it counts once, whatever is repeated.
   */
  recount(tx: Transaction, keys: readonly string[]): Promise<void>;
  /** Takes away the shares of conversations that the transaction removes. */
  discount(tx: Transaction, keys: readonly string[]): Promise<void>;
  /** Adds the figures of hours to the sums of their interval and series; those of whole days day by day. */
  read(
    projectId: string,
    by: string,
    range: SeriesRange,
    sumsOf: (series: string, startMs: number) => FigureSums,
  ): Promise<void>;
  /**
   * Puts the lanes of one hour before a time together, and removes rows in which nothing is left; resolves with the
   * number of rows that were put together, 0 if there was nothing to do.
   */
  fold(projectId: string, beforeMs: number): Promise<number>;
}

/** Row of a day as far as a series reads it. */
interface DayPart extends Pick<DayRow, 'series' | 'day'> {
  figures: DayRow['hours'];
}

/** Values of one kind that are told apart in a project: a hostile one might send a name for each conversation. */
const MAX_NAMES = 20;
const LANES = 32;
const READ_AT_ONCE = 10_000;

const SHARED = {
  ...{ projectId: 1, listed: 1, startedAt: 1, hasFinding: 1, hasError: 1, usage: 1, latency: 1 },
  ...{ agents: 1, models: 1, assembledTouches: 1, counted: 1 },
} as const;

export function createHourStore(database: Database): HourStore {
  const conversations = conversationCollection(database.connection);
  const rows = hourCollection(database);
  const days = dayCollection(database);
  const tellApart = createTellApart(database);
  let lane = Math.floor(Math.random() * LANES);

  /** Adds changes to the rows of the next lane: two writers of one process never have the same. */
  async function add(tx: Transaction, projectId: string, changes: HourChanges): Promise<void> {
    lane = (lane % LANES) + 1;
    const writes = changes.list().map(({ hour, series, figures }) => ({
      updateOne: {
        filter: { _id: `${projectId}:${hour}:${lane}:${series}` },
        update: {
          $inc: incrementOf(figures),
          $setOnInsert: { projectId, series, by: seriesOf(series).by, hour, lane },
        },
        upsert: true,
      },
    }));
    if (writes.length > 0) await rows.bulkWrite(writes, { session: tx, ordered: false });
  }

  async function sharedOf(tx: Transaction, keys: readonly string[]): Promise<[string, Shared[]][]> {
    if (keys.length === 0) return [];
    const found = await conversations
      .find<Shared>({ _id: { $in: [...keys] } }, { session: tx, projection: SHARED, batchSize: keys.length + 1 })
      .toArray();
    return [...Map.groupBy(found, ({ projectId }) => projectId)];
  }

  return {
    async recount(tx, keys) {
      for (const [projectId, some] of await sharedOf(tx, keys)) {
        const isTold = await tellApart(projectId, some);
        const changes = new HourChanges();
        const notes: mongo.AnyBulkWriteOperation<ConversationDocument>[] = [];
        for (const conversation of some) {
          const share = shareOf(conversation, isTold);
          if (JSON.stringify(share) === JSON.stringify(conversation.counted)) continue;
          changes.replace(conversation.counted, share);
          const update = share === undefined ? { $unset: { counted: '' as const } } : { $set: { counted: share } };
          notes.push({ updateOne: { filter: { _id: conversation._id }, update } });
        }
        if (notes.length > 0) await conversations.bulkWrite(notes, { session: tx, ordered: false });
        await add(tx, projectId, changes);
      }
    },

    async discount(tx, keys) {
      for (const [projectId, some] of await sharedOf(tx, keys)) {
        const changes = new HourChanges();
        for (const { counted } of some) changes.replace(counted, undefined);
        await add(tx, projectId, changes);
      }
    },

    read: createReadHours(database),

    async fold(projectId, beforeMs) {
      return await database.withTransaction(async (tx) => {
        const unfolded = { projectId, hour: { $lt: beforeMs }, lane: { $gt: 0 } };
        const first = await rows.findOne(unfolded, { session: tx, sort: { hour: 1, lane: 1 } });
        if (first === null) return 0;
        // One hour at a time, and all of it: the number of its series is bounded.
        const parts = await rows.find({ ...unfolded, hour: first.hour }, { session: tx }).toArray();
        await foldRows({ hours: rows, days }, tx, parts);
        return parts.length;
      });
    },
  };
}

/** Creates the function that adds the figures of hours, and of the days into which they were folded, to sums. */
function createReadHours(database: Database): HourStore['read'] {
  const rows = hourCollection(database);
  const days = dayCollection(database);
  return async (projectId, by, { startMs, endMs, intervalMs }, sumsOf) => {
    const isOfDays = [startMs, endMs, intervalMs].every((ms) => ms % DAY_MS === 0);
    const sumsAt = (series: string, hour: number) =>
      hour < startMs || hour >= endMs ? undefined : sumsOf(series, hour - ((hour - startMs) % intervalMs));
    // A snapshot of both, because a fold moves figures from one to the other.
    const session = await database.connection.startSession({ snapshot: true });
    try {
      const hours = { projectId, by, hour: { $gte: startMs, $lt: endMs } };
      for await (const row of rows.find(hours, { session, batchSize: READ_AT_ONCE })) {
        sumsAt(row.series, row.hour)?.add(row);
      }
      const past = { projectId, by, day: { $gte: dayOf(startMs), $lt: endMs } };
      const figures = isOfDays ? { $ifNull: ['$total', '$hours'] } : '$hours';
      const projection = { _id: 0, series: 1, day: 1, figures };
      const found = days.find<DayPart>(past, { session, batchSize: READ_AT_ONCE, projection });
      for await (const row of found) addDayFigures(row.figures, row.day, (hour) => sumsAt(row.series, hour));
    } finally {
      await session.endSession();
    }
  };
}

function incrementOf({ latency, ...numbers }: HourFigures): Record<string, number> {
  return {
    ...numbers,
    ...Object.fromEntries(Object.entries(latency).map(([bucket, count]) => [`latency.${bucket}`, count])),
  };
}

/** Creates a function that tells which values of conversations have series of their own, and registers new ones. */
function createTellApart(database: Database) {
  const names = seriesNamesCollection(database);
  const known = new Map<string, Set<string>>();

  /** Registers values outside of the transaction, which is safe to repeat: nothing counts by them alone. */
  async function register(projectId: string, by: SeriesOfConversations, values: readonly string[]): Promise<void> {
    const key = `${projectId}:${by}`;
    const held = known.get(key) ?? new Set();
    const isNew = values.some((value) => !held.has(value));
    if (!isNew || held.size >= MAX_NAMES) return;
    await names.updateOne({ _id: key }, { $setOnInsert: { projectId, names: [] } }, { upsert: true });
    const hasRoom = { [`names.${MAX_NAMES - 1}`]: { $exists: false } };
    for (const value of new Set(values))
      await names.updateOne({ _id: key, ...hasRoom }, { $addToSet: { names: value } });
    const stored = await names.findOne({ _id: key });
    known.set(key, new Set(stored?.names));
  }

  return async (projectId: string, some: readonly Shared[]): Promise<IsTold> => {
    const values = some.map(valuesOf);
    for (const by of ['agent', 'model'] as const)
      await register(
        projectId,
        by,
        values.flatMap((one) => one[by]),
      );
    return (by, value) => known.get(`${projectId}:${by}`)?.has(value) === true;
  };
}
