import type { Transaction } from '@clew/persistence';
import type { mongo } from 'mongoose';
import { dayFiguresOf, dayOf, hoursOf, sumsIn } from './day-figures.ts';
import type { DayRow, HourRow } from './hour-row.model.ts';

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
    const figures = dayFiguresOf(withAdded(held.get(_id), some));
    writes.push(
      figures === undefined
        ? { deleteOne: { filter: { _id } } }
        : {
            replaceOne: {
              filter: { _id },
              replacement: { projectId, series, by, day: dayOf(first.hour), ...figures },
              upsert: true,
            },
          },
    );
  }
  await days.bulkWrite(writes, { session: tx, ordered: false });
  await hours.deleteMany({ _id: { $in: parts.map(({ _id }) => _id) } }, { session: tx });
}

function withAdded(row: DayRow | undefined, parts: readonly HourRow[]) {
  const byHour = hoursOf(row);
  for (const part of parts) sumsIn(byHour, part.hour).add(part);
  return byHour;
}
