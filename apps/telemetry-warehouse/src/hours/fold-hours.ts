import { readJson } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { mongo } from 'mongoose';
import type { DayRow, HourFigures, HourRow } from './hour-row.model.ts';
import { addFigures, noFigures } from './hour-share.ts';

export const DAY_MS = 86_400_000;

type ByHour = Record<string, HourFigures>;

/** Moves the figures of rows of one hour to the rows of its day. */
export async function foldRows(
  { hours, days }: { hours: mongo.Collection<HourRow>; days: mongo.Collection<DayRow> },
  tx: Transaction,
  parts: readonly HourRow[],
): Promise<void> {
  const byId = Map.groupBy(parts, ({ projectId, hour, series }) => `${projectId}:${dayOf(hour)}:${series}`);
  const kept = await days.find({ _id: { $in: [...byId.keys()] } }, { session: tx }).toArray();
  const held = new Map(kept.map((row) => [row._id, row]));
  const writes: mongo.AnyBulkWriteOperation<DayRow>[] = [];
  for (const [_id, some] of byId) {
    const [first] = some;
    if (first === undefined) continue;
    const { projectId, series, by } = first;
    const figures = withAdded(hoursOf(held.get(_id)), some);
    const replacement = { projectId, series, by, day: dayOf(first.hour), hours: JSON.stringify(figures) };
    writes.push(
      Object.keys(figures).length === 0
        ? { deleteOne: { filter: { _id } } }
        : { replaceOne: { filter: { _id }, replacement, upsert: true } },
    );
  }
  await days.bulkWrite(writes, { session: tx, ordered: false });
  await hours.deleteMany({ _id: { $in: parts.map(({ _id }) => _id) } }, { session: tx });
}

/** Figures of the hours of a day. */
export function hoursOf(row: DayRow | undefined): ByHour {
  return row === undefined ? {} : (readJson(row.hours) as ByHour);
}

function withAdded(figures: ByHour, parts: readonly HourRow[]): ByHour {
  for (const part of parts) {
    const sum = figures[part.hour] ?? noFigures();
    addFigures(sum, part);
    figures[part.hour] = sum;
  }
  const left = Object.entries(figures).filter(([, { conversations }]) => conversations > 0);
  return Object.fromEntries(left.map(([hour, sum]) => [hour, withoutZeros(sum)]));
}

function withoutZeros({ latency, ...figures }: HourFigures): HourFigures {
  return { ...figures, latency: Object.fromEntries(Object.entries(latency).filter(([, count]) => count !== 0)) };
}

export function dayOf(hour: number): number {
  return hour - (hour % DAY_MS);
}
