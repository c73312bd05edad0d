import { AUTO_MODEL, getModelAvailabilitiesInternally, modelAvailabilityChanged, type Waiting } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import { consume, consumeBatches, QUEUES, subscribeBroadcast, watchQueueCapacity, type Broker } from '@clew/messaging';
import { createCircuits, createInbox, createOutbox, type Database, type Transaction } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { ConfigurationsOf } from '../adjudication/index.ts';
import { createBudgetStore } from '../adjudication/budget.store.ts';
import { createJudges } from '../adjudication/judges.ts';
import { createAnalysisStore } from '../analyses/index.ts';
import type { MergeEqual } from '../clusters/index.ts';
import type { TakenResults } from '../results/results.service.ts';
import { createResultStore } from '../results/results.store.ts';
import { configurationOf, createRuleStore } from '../rules/index.ts';
import type { SettingsStore } from '../settings/settings.store.ts';
import { createAskReviewers } from './ask-reviewers.ts';
import { createReviewBackfills, type ReviewBackfills } from './backfill-reviews.ts';
import { createComparisons } from './comparisons/index.ts';
import { createProblemClusterStore } from './problem-clusters.store.ts';
import { createQueueReviews } from './queue-reviews.ts';
import { createReviewDayStore } from './review-days.store.ts';
import { CONVERSATION_REVIEW } from './review-rule.ts';
import { createReviewWriter } from './review-writer.ts';
import { createReviewers, type ReviewPlan } from './reviewers.ts';
import { createReviewStore, type WhichReview } from './reviews.store.ts';
import { createEndGivenUpReviews, createTakeReviews, type TakeReviewsDependencies } from './take-reviews.ts';

export interface ReviewerDependencies {
  database: Database;
  broker: Broker;
  settings: SettingsStore;
  modelRuntime: ServiceClient;
  configurationsOf: ConfigurationsOf;
  withoutErased: TakeReviewsDependencies['withoutErased'];
  /** Merges Findings that are the same problem. */
  mergeEqual: MergeEqual;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Has models read conversations. */
export interface Reviewer {
  /** Plans of projects, read before the transaction of their results. */
  plansOf(projectIds: readonly string[]): Promise<ReadonlyMap<string, ReviewPlan>>;
  /** Chooses conversations for review, in the transaction of their results. */
  queue(tx: Transaction, results: TakenResults, plans: ReadonlyMap<string, ReviewPlan>): Promise<void>;
  /** Reconsiders the waiting reviews of a project, after its settings have changed. */
  settingsChanged(projectId: string): Promise<void>;
  /** Tells why the next review of a project, or that of a conversation, was not asked for yet; `undefined` if none waits. */
  waitingOf(projectId: string, some: WhichReview): Promise<Waiting | undefined>;
  /** Reviews of earlier conversations. */
  backfills: ReviewBackfills;
  start(): BackgroundTask[];
}

const INBOX_NAME = 'diagnostics-svc.review-results';
/** Wait for a batch to fill: a review takes seconds anyway, and a batch costs little more than one review. */
const MAX_WAIT_MS = 300;
const EMBEDDING_WAIT_MS = 2_000;

export function createReviewer(dependencies: ReviewerDependencies): Reviewer {
  const { database, broker, clock, logger, modelRuntime } = dependencies;
  const outbox = createOutbox(database);
  const reviews = createReviewStore(database);
  const days = createReviewDayStore(database);
  const budgets = createBudgetStore(database, 'review');
  const circuits = createCircuits(database);
  const rules = createRuleStore(database);
  const settingOf = (projectId: string) => rules.get(projectId, CONVERSATION_REVIEW.ruleId);
  const reviewers = createReviewers({
    ...{ ...dependencies, judges: createJudges(modelRuntime) },
    isEnabled: async (projectId) => (await settingOf(projectId)).enabled,
  });
  const clusters = createProblemClusterStore(database);
  const comparisons = createComparisons({
    ...{ ...dependencies, clusters, days, budgets, circuits, reviewers, outbox },
    afterRecovery: (projectId) => releaseAll(projectId),
  });
  const writer = createReviewWriter({
    ...{ database, outbox, clock, results: createResultStore(database), analyses: createAnalysisStore(database) },
    ...{ clusters, comparisons },
  });
  const asking = createAskReviewers({
    ...{ ...dependencies, reviews, budgets, circuits, reviewers, outbox },
    capacity: watchQueueCapacity({ broker, logger, queue: QUEUES.review }),
    embeddingModelOf: (projectId) => embeddingModelOf(modelRuntime, projectId),
    knownKinds: (tx, projectId, limit) => clusters.knownKinds(tx, projectId, limit),
    shownBy: (tx, targets) => writer.shownBy(tx, targets),
  });
  const take = createTakeReviews({
    ...{ ...dependencies, reviews, days, budgets, circuits, writer },
    inbox: createInbox(database, INBOX_NAME),
    configurationOf: async (projectId) => configurationOf(CONVERSATION_REVIEW, await settingOf(projectId)),
    wake: () => asking.wake(),
    afterRecovery: releaseAll,
    afterReturn: releaseAway,
  });
  /** Reconsiders all that waits for the models or the budget of a project. */
  async function releaseAll(projectId: string): Promise<void> {
    await asking.release(projectId);
    await comparisons.release(projectId);
  }
  /** Reconsiders all that waits for a model that was away. */
  async function releaseAway(projectId: string): Promise<void> {
    await asking.releaseAway(projectId);
    await comparisons.releaseAway(projectId);
  }

  return {
    backfills: createReviewBackfills({ database, reviews, reviewers, clock, wake: () => asking.wake() }),
    plansOf: (projectIds) => reviewers.plansOf(projectIds),
    queue: createQueueReviews({ database, reviews, days, wake: () => asking.wake() }),
    async settingsChanged(projectId) {
      reviewers.forget(projectId);
      await releaseAll(projectId);
    },
    waitingOf: asking.waitingOf,
    start: () => [
      asking.start(),
      subscribeBroadcast({
        ...{ broker, logger, spec: modelAvailabilityChanged },
        handle: ({ projectId, data }) => (data.available ? releaseAway(projectId) : Promise.resolve()),
      }),
      consumeBatches({ broker, logger, maxWaitMs: MAX_WAIT_MS, queue: QUEUES.reviewResults, handle: take }),
      ...comparisons.start(),
      consume({
        ...{ broker, logger, queue: QUEUES.reviewGivenUp },
        handle: createEndGivenUpReviews({ database, reviews }),
      }),
    ],
  };
}

/** Name of the project's embedding model itself; null if it has none, or none that is known yet. */
async function embeddingModelOf(modelRuntime: ServiceClient, projectId: string): Promise<string | null> {
  const { availabilities } = await modelRuntime.call(getModelAvailabilitiesInternally, {
    params: { projectId },
    body: { models: [AUTO_MODEL], purpose: 'embedding', waitMs: EMBEDDING_WAIT_MS },
  });
  const [known] = availabilities;
  return known?.available === true ? known.resolvedModel : null;
}
