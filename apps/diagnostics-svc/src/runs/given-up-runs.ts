import type { analysisRequested, EnvelopeOf } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { RunStore } from './runs.store.ts';

const REASON = 'The analysis was given up after its last attempt';

/**
 * Ends the runs of a command that ended in the dead letters, whoever put it there: nobody works on it any more. When the
 * command is sent again, its results count as ever.
 */
export function endGivenUpRuns(database: Database, runs: RunStore, clock: Clock) {
  return async ({ projectId, data }: EnvelopeOf<typeof analysisRequested>): Promise<void> => {
    const ends = data.runs.map(({ runId }) => ({ runId, projectId, state: 'failed' as const, reason: REASON }));
    await database.withTransaction((tx) => runs.finish(tx, ends, clock.now()));
  };
}
