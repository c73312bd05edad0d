import type { EnvelopeOf, kindComparisonCompleted, kindComparisonRequested } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import {
  afterLater,
  createTakeAnswers,
  isAnswered,
  type Circuits,
  type Database,
  type Inbox,
  type Transaction,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { BudgetStore } from '../../adjudication/budget.store.ts';
import type { MergeEqual } from '../../clusters/index.ts';
import { findingIdOf } from '../../findings/occurrence.ts';
import type { ProblemClusterStore } from '../problem-clusters.store.ts';
import type { ReviewDayStore } from '../review-days.store.ts';
import type { ComparisonDocument } from './comparison.model.ts';
import type { ComparisonStore, PutBack } from './comparisons.store.ts';
import { joinsOf } from './joins.ts';

type Completed = EnvelopeOf<typeof kindComparisonCompleted>;

export interface TakeComparisonsDependencies {
  database: Database;
  inbox: Inbox;
  comparisons: ComparisonStore;
  clusters: ProblemClusterStore;
  days: ReviewDayStore;
  budgets: BudgetStore;
  circuits: Circuits;
  /** Merges Findings that are the same problem. */
  mergeEqual: MergeEqual;
  clock: Clock;
  logger: Logger;
  afterRecovery(projectId: string): Promise<void>;
  wake(): void;
}

/** Applies what models say about kinds that are the same, each message once. */
export function createTakeComparisons(dependencies: TakeComparisonsDependencies) {
  const { comparisons, clusters, days, budgets, clock, logger } = dependencies;

  /** Joins the kinds of each group, and the Findings that they stand for. */
  async function join(tx: Transaction, { projectId, data }: Completed, same: readonly (readonly string[])[]) {
    const known = await clusters.alone(tx, projectId, same.flat());
    const joins = joinsOf(known, same);
    const pairs = joins.map(({ id, into }) => ({
      findingId: findingIdOf(projectId, id),
      into: findingIdOf(projectId, into),
    }));
    const merged = await dependencies.mergeEqual(tx, projectId, pairs);
    await clusters.markCompared(tx, projectId, data.newIds);
    await clusters.markJoined(
      tx,
      projectId,
      joins.filter(({ id }) => merged.has(findingIdOf(projectId, id))),
    );
  }

  /** Tells when a comparison is asked for again: at once if new kinds are left; undefined if it ends. */
  async function askedAgain(
    tx: Transaction,
    row: ComparisonDocument,
    outcome: Completed['data']['outcome'],
    nowMs: number,
  ): Promise<PutBack | undefined> {
    if (outcome.status === 'later') return afterLater(row, outcome, nowMs);
    if (outcome.status === 'failed') return undefined;
    const left = await clusters.toCompare(tx, row, 2);
    return left.length > 1 ? { dueAt: nowMs, failures: 0 } : undefined;
  }

  async function take(tx: Transaction, projectId: string, fresh: readonly Completed[]): Promise<void> {
    const nowMs = clock.now();
    for (const message of fresh) {
      const { comparisonId, round, calls, tokens, outcome } = message.data;
      await days.addUsage(tx, projectId, { reviewed: 0, calls, tokens }, nowMs);
      await budgets.correct(tx, projectId, (calls > 0 ? 1 : 0) - 1, nowMs);
      if (outcome.status === 'compared') await join(tx, message, outcome.same);
      const row = await comparisons.get(tx, comparisonId);
      if (!isAnswered(row, round)) continue;
      const again = await askedAgain(tx, row, outcome, nowMs);
      if (again !== undefined) {
        await comparisons.putBack(tx, comparisonId, again);
        continue;
      }
      if (outcome.status !== 'compared') {
        logger.warn({ comparison: comparisonId, reason: outcome.reason }, 'a comparison failed');
      }
      await comparisons.end(tx, row);
    }
  }

  return createTakeAnswers<Completed, undefined, void>({
    ...dependencies,
    prepare: async () => undefined,
    take,
    taken: async () => undefined,
  });
}

/** Ends a comparison whose command became a dead letter. If the command is sent again, its result still counts. */
export function createEndGivenUpComparisons({
  database,
  comparisons,
}: Pick<TakeComparisonsDependencies, 'database' | 'comparisons'>) {
  return async ({ data }: EnvelopeOf<typeof kindComparisonRequested>): Promise<void> => {
    await database.withTransaction(async (tx) => {
      const row = await comparisons.get(tx, data.comparisonId);
      if (isAnswered(row, data.round)) await comparisons.end(tx, row);
    });
  };
}
