import { snapshotAnalysed } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { emittedMessages } from '@clew/testing-host';
import { analysisCollection, analysisOf } from '../analyses/analysis.model.ts';
import { newAnalysis, withQueuedRuns, type Analysis, type AnalysisTarget, type Run } from '../analyses/analysis.ts';
import { createAnalysisStore } from '../analyses/index.ts';

/** Analyses of a project, by snapshot. */
export async function analysesOf({ connection }: Database, projectId: string): Promise<Analysis[]> {
  const documents = await analysisCollection(connection).find({ projectId }).sort({ snapshotId: 1 }).toArray();
  return documents.map(analysisOf);
}

/** All runs of a project, by Rule. */
export async function runsOf(database: Database, projectId: string): Promise<(Run & { snapshotId: string })[]> {
  const runs = (await analysesOf(database, projectId)).flatMap(({ snapshotId, runs: own }) =>
    [...own.values()].map((run) => ({ ...run, snapshotId })),
  );
  return runs.toSorted((left, right) => (left.ruleId < right.ruleId ? -1 : 1));
}

/** Announcements of analysed snapshots, in the order of their commits. */
export async function analysedSnapshots(database: Database, projectId: string) {
  return (await emittedMessages(database, snapshotAnalysed, projectId)).flatMap(({ data }) => data.snapshots);
}

/** Stores an analysis whose runs wait for their result. */
export async function storeQueued(
  database: Database,
  target: AnalysisTarget,
  ruleIds: readonly string[],
): Promise<void> {
  const rules = ruleIds.map((ruleId) => ({ ruleId }));
  const analysis = withQueuedRuns(newAnalysis(target, 1), rules);
  const analyses = createAnalysisStore(database);
  await database.withTransaction((tx) => analyses.save(tx, new Map(), new Map([[analysis.id, analysis]])));
}
