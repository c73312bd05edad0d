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
          { projection: { _id: 0, startMs: 1, [field]: 1 }, sort: { startMs: 1 } },
        )
        .toArray();
      return entriesOf(found, by === undefined ? undefined : COUNTS[by], { startMs, intervalMs });
    },
  };
}

function entriesOf(
  rows: readonly SeriesDocument[],
  field: 'bySeverity' | 'byRule' | 'byCategory' | undefined,
  { startMs, intervalMs }: { startMs: number; intervalMs: number },
): SeriesEntry[] {
  const intervals = new Map<number, Map<string, number>>();
  for (const row of rows) {
    const at = row.startMs - ((row.startMs - startMs) % intervalMs);
    const counts = intervals.get(at) ?? new Map<string, number>();
    intervals.set(at, counts);
    for (const [value, count] of field === undefined ? [['', row.total] as const] : Object.entries(row[field] ?? {})) {
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
  }
  return [...intervals].flatMap(([at, counts]) =>
    [...counts]
      .filter(([, occurrences]) => occurrences > 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([value, occurrences]) => ({ startMs: at, ...(field === undefined ? {} : { value }), occurrences })),
  );
}
