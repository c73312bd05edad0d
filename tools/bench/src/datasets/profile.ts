import type { Db } from 'mongodb';

/** Database statistics of one query of the service. */
export interface ProfiledQuery {
  plan: string;
  keysExamined: number;
  docsExamined: number;
  returned: number;
}

/** Runs the work with the database profiler on; returns the profiled reads of the collection in order. */
export async function profiled(
  database: Db,
  collection: string,
  work: () => Promise<unknown>,
): Promise<ProfiledQuery[]> {
  await database.command({ profile: 2, slowms: 0 });
  const startedAt = new Date();
  try {
    await work();
  } finally {
    await database.command({ profile: 0, slowms: 100 });
  }
  const rows = await database
    .collection('system.profile')
    .find({ ns: `${database.databaseName}.${collection}`, op: 'query', ts: { $gte: startedAt } })
    .sort({ ts: 1 })
    .toArray();
  return rows.map((row) => ({
    plan: String(row['planSummary']),
    keysExamined: Number(row['keysExamined']),
    docsExamined: Number(row['docsExamined']),
    returned: Number(row['nreturned']),
  }));
}
