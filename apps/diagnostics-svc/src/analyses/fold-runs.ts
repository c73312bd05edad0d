import type { Connection } from 'mongoose';
import { nativeDb } from '@clew/persistence';
import { createAnalysisStore } from './analyses.store.ts';
import { analysisIdOf, newAnalysis, withFormerRuns, type Analysis, type FormerRun } from './analysis.ts';

/** A run as it was stored before: a document of its own. */
export type FormerRunDocument = FormerRun & { _id: string };

export const FORMER_RUNS = 'analysis_runs';
const PAGE_SIZE = 1_000;

/**
 * Brings runs that are documents of their own into the records of their snapshots, and then drops their collection. Each
 * page is one transaction that takes away what it has brought over, so that a migrator that is killed anywhere loses
 * nothing, and the next one goes on where it was.
 */
export async function foldRuns(connection: Connection, pageSize = PAGE_SIZE): Promise<void> {
  const db = nativeDb(connection);
  const [existing] = await db.listCollections({ name: FORMER_RUNS }, { nameOnly: true }).toArray();
  if (existing === undefined) return;
  while ((await foldPage(connection, pageSize)) > 0);
  await db.dropCollection(FORMER_RUNS);
}

/** How many runs it has brought over. */
async function foldPage(connection: Connection, pageSize: number): Promise<number> {
  const analyses = createAnalysisStore({ connection });
  const former = nativeDb(connection).collection<FormerRunDocument>(FORMER_RUNS);
  return await connection.transaction(
    async (tx) => {
      const runs = await former.find({}, { sort: { _id: 1 }, limit: pageSize, session: tx }).toArray();
      if (runs.length === 0) return 0;
      const before = await analyses.load(tx, runs);
      await analyses.save(tx, before, withRunsOf(before, runs));
      await former.deleteMany({ _id: { $in: runs.map(({ _id }) => _id) } }, { session: tx });
      return runs.length;
    },
    { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } },
  );
}

function withRunsOf(before: ReadonlyMap<string, Analysis>, runs: readonly FormerRun[]) {
  const after = new Map(before);
  for (const [id, ofSnapshot] of Map.groupBy(runs, analysisIdOf)) {
    const [first] = ofSnapshot;
    if (first === undefined) continue;
    after.set(id, withFormerRuns(after.get(id) ?? newAnalysis(first, first.createdAt), ofSnapshot));
  }
  return after;
}
