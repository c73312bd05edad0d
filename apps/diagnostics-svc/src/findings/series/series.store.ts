import type { FindingSeriesQuery, SeriesDimension } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { RowChange } from './series-change.ts';
import { GRAINS, seriesCollection, seriesIdOf, type SeriesDocument } from './series.model.ts';

export interface SeriesEntry {
  startMs: number;
  value?: string;
  occurrences: number;
}

export interface SeriesStore {
  read(projectId: string, query: FindingSeriesQuery): Promise<SeriesEntry[]>;
}

/** Changes rows in the transaction of the occurrences that they count, in one command. */
export async function changeSeries(
  { connection }: Pick<Database, 'connection'>,
  tx: Transaction | mongo.ClientSession,
  changes: readonly RowChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await seriesCollection(connection).bulkWrite(
    changes.map(({ projectId, grain, startMs, counts }) => ({
      updateOne: {
        filter: { _id: seriesIdOf(projectId, grain, startMs), projectId },
        update: { $inc: Object.fromEntries(counts), $setOnInsert: { grain, startMs } },
        upsert: true,
      },
    })),
    { session: tx },
  );
}

/** Rows of the longest series of hours, with which it is one batch. */
const MAX_ROWS = 2_400;

const COUNTS: Readonly<Record<SeriesDimension, 'bySeverity' | 'byRule' | 'byCategory'>> = {
  ...{ severity: 'bySeverity', ruleId: 'byRule', categoryKey: 'byCategory' },
};

export function createSeriesStore({ connection }: Database): SeriesStore {
  const rows = seriesCollection(connection);
  return {
    async read(projectId, { startMs, endMs, intervalMs, by }) {
      const isOfDays = [startMs, endMs, intervalMs].every((ms) => ms % GRAINS.day === 0);
      const field = by === undefined ? 'total' : COUNTS[by];
      const found = await rows
        .find(
          { projectId, grain: isOfDays ? 'day' : 'hour', startMs: { $gte: startMs, $lt: endMs } },
          { projection: { _id: 0, startMs: 1, [field]: 1 }, sort: { startMs: 1 }, batchSize: MAX_ROWS },
        )
        .toArray();
      return entriesOf(found, by === undefined ? undefined : COUNTS[by], { startMs, intervalMs });
    },
  };
}

/** Sums rows up to intervals, by place of the value: rows hold tens of thousands of counts. */
function entriesOf(
  rows: readonly SeriesDocument[],
  field: 'bySeverity' | 'byRule' | 'byCategory' | undefined,
  { startMs, intervalMs }: { startMs: number; intervalMs: number },
): SeriesEntry[] {
  const places = new Map<string, number>();
  const intervals = new Map<number, number[]>();
  for (const row of rows) {
    const at = row.startMs - ((row.startMs - startMs) % intervalMs);
    const sums = intervals.get(at) ?? [];
    intervals.set(at, sums);
    const counts = field === undefined ? { '': row.total } : row[field];
    // Documents of the driver have no other properties than their own.
    for (const value in counts) {
      const place = placeOf(places, value);
      sums[place] = (sums[place] ?? 0) + (counts[value] ?? 0);
    }
  }
  const values = [...places].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const entries: SeriesEntry[] = [];
  for (const [at, sums] of intervals) {
    for (const [value, place] of values) {
      const occurrences = sums[place] ?? 0;
      if (occurrences <= 0) continue;
      entries.push(field === undefined ? { startMs: at, occurrences } : { startMs: at, value, occurrences });
    }
  }
  return entries;
}

/** Place of a value, in the order in which values come. */
function placeOf(places: Map<string, number>, value: string): number {
  const known = places.get(value);
  if (known !== undefined) return known;
  places.set(value, places.size);
  return places.size - 1;
}
