import type { EnvelopeOf, reviewCompleted, reviewRequested, RuleConfiguration } from '@clew/contracts';
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
import type { BudgetStore } from '../adjudication/budget.store.ts';
import type { ReviewDayStore } from './review-days.store.ts';
import { reviewSuspects } from './review-suspects.ts';
import type { ReviewWriter } from './review-writer.ts';
import type { ReviewResult } from './reviews.model.ts';
import { reviewIdOf, type ReviewStore } from './reviews.store.ts';

type Completed = EnvelopeOf<typeof reviewCompleted>;
type Reviewed = Extract<Completed['data']['outcome'], { status: 'reviewed' }>;

type Configuration = Pick<RuleConfiguration, 'signalOverrides'>;

export interface TakeReviewsDependencies {
  database: Database;
  inbox: Inbox;
  reviews: ReviewStore;
  days: ReviewDayStore;
  budgets: BudgetStore;
  circuits: Circuits;
  writer: ReviewWriter;
  /** Settings of a project for the Rule of reviews, such as severities of categories. */
  configurationOf(projectId: string): Promise<Configuration>;
  /** Drops conversations that were erased. */
  withoutErased: <One extends { projectId: string; conversationId: string }>(some: readonly One[]) => Promise<One[]>;
  clock: Clock;
  logger: Logger;
  afterRecovery(projectId: string): Promise<void>;
  wake(): void;
}

/** Applies the answers of reviewers, each message once. */
export function createTakeReviews(dependencies: TakeReviewsDependencies) {
  const { reviews, days, budgets, writer, clock, logger, withoutErased } = dependencies;

  async function take(tx: Transaction, message: Completed, configuration: Configuration): Promise<void> {
    const { projectId, data } = message;
    const { conversationId, round, calls, tokens, outcome } = data;
    const nowMs = clock.now();
    const id = reviewIdOf(projectId, conversationId);
    const usage = { reviewed: outcome.status === 'reviewed' ? 1 : 0, calls, tokens };
    if (calls > 0) await days.addUsage(tx, projectId, usage, nowMs);
    // A review that was not made leaves its place to another one.
    else await budgets.correct(tx, projectId, -1, nowMs);
    const [left] = await withoutErased([{ projectId, conversationId }]);
    if (left === undefined) return await reviews.endAsked(tx, id);
    if (outcome.status === 'reviewed') return await keep(tx, message, outcome, configuration);
    const row = await reviews.get(tx, id);
    if (!isAnswered(row, round)) return;
    const again = outcome.status === 'later' ? afterLater(row, outcome, nowMs) : undefined;
    if (again !== undefined) return await reviews.putBack(tx, id, again);
    logger.warn({ review: id, reason: outcome.reason }, 'a review failed');
    await reviews.endAsked(tx, id);
  }

  async function keep(
    tx: Transaction,
    { id: causeId, projectId, requestId, data }: Completed,
    outcome: Reviewed,
    configuration: Configuration,
  ): Promise<void> {
    const { conversationId, snapshotId, model, accuracy, calls, tokens } = data;
    const { verdict, failureProbability, wanted, problems, dropped, refuted, isTainted } = outcome;
    const { agents, startedAt, ...read } = outcome.snapshot;
    const known = (await reviews.get(tx, reviewIdOf(projectId, conversationId)))?.result;
    // A later snapshot was read before.
    if (known !== undefined && known.revision > read.revision) return;
    const result: ReviewResult = {
      ...{ snapshotId, revision: read.revision, model, verdict, failureProbability, wanted, dropped, refuted },
      ...{ isTainted, problemCount: problems.length, suspects: reviewSuspects(problems, outcome), calls, tokens },
    };
    const kept = { startedAt, agents, reviewedAt: clock.now() };
    await reviews.keep(tx, reviewIdOf(projectId, conversationId), result, kept);
    await writer.write(tx, {
      ...{ projectId, conversationId, requestId, causeId, model, failureProbability, calls, tokens },
      snapshot: { snapshotId, startedAt, scope: 'conversation', ...read },
      ...{ problems, configuration, accuracy },
    });
  }

  return createTakeAnswers<Completed, Configuration, undefined>({
    ...dependencies,
    prepare: (projectId) => dependencies.configurationOf(projectId),
    async take(tx, _projectId, fresh, configuration) {
      for (const message of fresh) await take(tx, message, configuration);
      return undefined;
    },
    taken: async () => undefined,
  });
}

/** Ends a review whose command became a dead letter. If the command is sent again, its result still counts. */
export function createEndGivenUpReviews({ database, reviews }: Pick<TakeReviewsDependencies, 'database' | 'reviews'>) {
  return async ({ projectId, data }: EnvelopeOf<typeof reviewRequested>): Promise<void> => {
    const id = reviewIdOf(projectId, data.conversationId);
    await database.withTransaction(async (tx) => {
      if (isAnswered(await reviews.get(tx, id), data.round)) await reviews.endAsked(tx, id);
    });
  };
}
