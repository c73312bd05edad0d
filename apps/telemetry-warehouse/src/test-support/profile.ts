import { nativeDb, type Database } from '@clew/persistence';

/** Profile entry of one database operation. */
export interface ProfiledOperation {
  op: string;
  ns: string;
  planSummary?: string;
  hasSortStage?: boolean;
  docsExamined?: number;
  keysExamined?: number;
  nreturned?: number;
  command: Record<string, unknown>;
}

const PROFILE_BYTES = 64 * 1024 * 1024;

/** Runs some work and returns the database's own profile of its operations, on one collection or on all. */
export async function profiled(
  database: Database,
  work: () => Promise<unknown>,
  collection?: string,
): Promise<ProfiledOperation[]> {
  const db = nativeDb(database.connection);
  await db.command({ profile: 0 });
  await db.dropCollection('system.profile').catch(() => undefined);
  await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await db.command({ profile: 2, filter: { ns: { $ne: `${db.databaseName}.system.profile` } } });
  try {
    await work();
  } finally {
    await db.command({ profile: 0, filter: 'unset' });
  }
  const operations = await db.collection<ProfiledOperation>('system.profile').find().toArray();
  const wanted = collection === undefined ? undefined : `${db.databaseName}.${collection}`;
  return operations.filter(({ ns }) => wanted === undefined || ns === wanted);
}

/** Operations that read a whole collection, or sort in memory. */
export function unindexed(operations: readonly ProfiledOperation[]): ProfiledOperation[] {
  return operations.filter(({ planSummary, hasSortStage }) => planSummary === 'COLLSCAN' || hasSortStage === true);
}
