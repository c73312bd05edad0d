import type { analysisRequested, EnvelopeOf, RuleRevision } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database, Outbox } from '@clew/persistence';
import { analysedEvents, endedBy } from './analysed-events.ts';
import type { AnalysisStore } from './analyses.store.ts';
import { analysisIdOf, newAnalysis, withEndedRuns, type Analysis, type AnalysisTarget } from './analysis.ts';

const REASON = 'The analysis was given up after its last attempt';

export interface GivenUpDependencies {
  database: Database;
  analyses: AnalysisStore;
  outbox: Outbox;
  clock: Clock;
}

/** Command that no worker processes any more. */
export interface GivenUpCommand {
  id: string;
  rules: readonly RuleRevision[];
  targets: readonly AnalysisTarget[];
}

/**
 * Ends the runs of a command that became a dead letter, whoever rejected it. If the command is sent again, its results
 * count as usual.
 */
export function endGivenUpAnalyses({ database, analyses, outbox, clock }: GivenUpDependencies) {
  return async ({ id, rules, targets }: GivenUpCommand): Promise<void> => {
    const ends = rules.map((rule) => ({ rule, state: 'failed' as const, reason: REASON }));
    await database.withTransaction(async (tx) => {
      const nowMs = clock.now();
      const before = await analyses.load(tx, targets);
      const after = new Map(
        targets.map((target): [string, Analysis] => {
          const analysis = before.get(analysisIdOf(target)) ?? newAnalysis(target, nowMs);
          return [analysis.id, withEndedRuns(analysis, ends, nowMs)];
        }),
      );
      await analyses.save(tx, before, after);
      await outbox.appendMany(tx, analysedEvents(endedBy(before, after), [id], nowMs));
    });
  };
}

export function givenUpCommandOf({ id, projectId, data }: EnvelopeOf<typeof analysisRequested>): GivenUpCommand {
  return { id, rules: data.rules, targets: data.snapshots.map((snapshot) => ({ projectId, ...snapshot })) };
}
