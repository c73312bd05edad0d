import type { Connection } from 'mongoose';
import { dayFiguresOf, hoursOf } from './day-figures.ts';
import { dayCollection } from './hour-row.model.ts';

const ROWS_AT_A_TIME = 200;

/** Packs the rows of days that were stored as texts. Safe to repeat, also while a fold replaces some of them. */
export async function packDays(connection: Connection): Promise<void> {
  const days = dayCollection({ connection });
  for (let after = ''; ;) {
    const page = await days.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: ROWS_AT_A_TIME }).toArray();
    const last = page.at(-1);
    if (last === undefined) return;
    after = last._id;
    const writes = page
      .filter(({ hours }) => typeof hours === 'string')
      .map((row) => {
        const filter = { _id: row._id, hours: row.hours };
        const figures = dayFiguresOf(hoursOf(row));
        return figures === undefined ? { deleteOne: { filter } } : { updateOne: { filter, update: { $set: figures } } };
      });
    if (writes.length > 0) await days.bulkWrite(writes, { ordered: false });
  }
}
