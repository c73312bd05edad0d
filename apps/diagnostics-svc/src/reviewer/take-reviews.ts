import {
  providerKeyOf,
  type EnvelopeOf,
  type reviewCompleted,
  type reviewRequested,
  type RuleConfiguration,
} from '@clew/contracts';
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
import { afterAway } from './away.ts';
import type { ReviewDayStore } from './review-days.store.ts';
import type { ReviewDocument } from './reviews.model.ts';
import { reviewSuspects } from './review-suspects.ts';
import type { ReviewWriter, WrittenReview } from './review-writer.ts';
import { reviewIdOf, type KeptReview, type PutBack, type ReviewStore } from './reviews.store.ts';

type Completed = EnvelopeOf<typeof reviewCompleted>;
type Reviewed = Extract<Completed['data']['outcome'], { status: 'reviewed' }>;
type Later = Extract<Completed['data']['outcome'], { status: 'later' }>;

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
  /** Runs when a model that was away has read. */
  afterReturn(projectId: string): Promise<void>;
  wake(): void;
}

/** Applies the answers of reviewers, each message once. */
export function createTakeReviews(dependencies: TakeReviewsDependencies) {
  const { reviews, writer, clock, logger, withoutErased } = dependencies;
  const idOf = ({ projectId, data }: Completed) => reviewIdOf(projectId, data.conversationId);

  async function take(
    tx: Transaction,
    projectId: string,
    fresh: readonly Completed[],
    configuration: Configuration,
  ): Promise<{ isReturn: boolean }> {
    const nowMs = clock.now();
    await countUsage(dependencies, tx, projectId, fresh);
    const left = new Set(
      (await withoutErased(fresh.map(({ data: { conversationId } }) => ({ projectId, conversationId })))).map(
        ({ conversationId }) => conversationId,
      ),
    );
    const rows = await reviews.getMany(tx, fresh.map(idOf));
    const written = new Map<string, WrittenReview>();
    const kept: KeptReview[] = [];
    let isReturn = false;
    for (const message of fresh) {
      const { conversationId, round, outcome } = message.data;
      const id = idOf(message);
      const row = rows.get(id);
      if (!left.has(conversationId)) await reviews.endAsked(tx, id);
      else if (outcome.status === 'reviewed') {
        isReturn ||= row?.awaySince !== undefined;
        // A later snapshot was read before.
        if ((row?.result?.revision ?? 0) > outcome.snapshot.revision) continue;
        kept.push(keptReviewOf(id, message, outcome, nowMs));
        written.set(conversationId, writtenReviewOf(message, outcome, configuration));
      } else if (isAnswered(row, round)) {
        const again =
          outcome.status === 'later' ? await askedAgain(dependencies, tx, { row, message, outcome }, nowMs) : undefined;
        if (again === undefined) logger.warn({ review: id, reason: outcome.reason }, 'a review failed');
        await (again === undefined ? reviews.endAsked(tx, id) : reviews.putBack(tx, id, again));
      }
    }
    await reviews.keep(tx, kept);
    await writer.write(tx, [...written.values()]);
    return { isReturn };
  }

  return createTakeAnswers<Completed, Configuration, { isReturn: boolean }>({
    ...dependencies,
    prepare: (projectId) => dependencies.configurationOf(projectId),
    take,
    async taken(projectId, { isReturn }) {
      if (isReturn) await dependencies.afterReturn(projectId);
    },
  });
}

/**
 * Tells when a review is asked for again; undefined if it ends. A call that took nothing, and failed because nobody
 * answers, says nothing about the conversation: its review waits until the model is back. Other failures are counted.
 */
async function askedAgain(
  { circuits }: TakeReviewsDependencies,
  tx: Transaction,
  { row, message, outcome }: { row: ReviewDocument; message: Completed; outcome: Later },
  nowMs: number,
): Promise<PutBack | undefined> {
  const { data, projectId } = message;
  const isOwn = outcome.isBudget || outcome.isUntried === true || data.calls > 0;
  if (isOwn) return afterLater(row, outcome, nowMs);
  const key = providerKeyOf(projectId, data.model);
  // A slow answer may be due to the length of the conversation, unless others get none either.
  const isCounted = outcome.isTimeout === true && (await circuits.passages(tx, [key], nowMs)).get(key)?.kind === 'all';
  if (isCounted) return afterLater(row, outcome, nowMs);
  const again = afterAway(row, nowMs, outcome.retryAfterMs ?? 0);
  return again && { ...again, failures: row.failures };
}

/** Counts the reviews and their cost; a review that was not made leaves its place of the day to another one. */
async function countUsage(
  { days, budgets, clock }: TakeReviewsDependencies,
  tx: Transaction,
  projectId: string,
  fresh: readonly Completed[],
): Promise<void> {
  const made = fresh.filter(({ data }) => data.calls > 0);
  const sum = (numberOf: (message: Completed) => number) => made.reduce((total, each) => total + numberOf(each), 0);
  const usage = {
    reviewed: sum(({ data }) => (data.outcome.status === 'reviewed' ? 1 : 0)),
    calls: sum(({ data }) => data.calls),
    tokens: sum(({ data }) => data.tokens),
  };
  if (made.length > 0) await days.addUsage(tx, projectId, usage, clock.now());
  await budgets.correct(tx, projectId, made.length - fresh.length, clock.now());
}

function keptReviewOf(
  id: string,
  { data: { snapshotId, model, calls, tokens } }: Completed,
  outcome: Reviewed,
  reviewedAt: number,
): KeptReview {
  const { verdict, failureProbability, wanted, problems, dropped, refuted, isTainted } = outcome;
  const { agents, startedAt, revision } = outcome.snapshot;
  return {
    ...{ id, startedAt, agents, reviewedAt },
    result: {
      ...{ snapshotId, revision, model, verdict, failureProbability, wanted, dropped, refuted, isTainted },
      ...{ problemCount: problems.length, suspects: reviewSuspects(problems, outcome), calls, tokens },
    },
  };
}

function writtenReviewOf(
  { id: causeId, projectId, requestId, data }: Completed,
  { failureProbability, problems, snapshot: { agents: _, ...snapshot } }: Reviewed,
  configuration: Configuration,
): WrittenReview {
  const { conversationId, snapshotId, model, accuracy, calls, tokens } = data;
  return {
    ...{ projectId, conversationId, requestId, causeId, model, accuracy, failureProbability, calls, tokens },
    snapshot: { snapshotId, scope: 'conversation', ...snapshot },
    ...{ problems, configuration },
  };
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
