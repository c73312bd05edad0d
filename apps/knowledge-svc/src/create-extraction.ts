import { AUTO_MODEL, modelAvailabilityChanged, type Waiting } from '@clew/contracts';
import type { DatabaseHost } from '@clew/host';
import type { ServiceClient } from '@clew/http';
import { consume, consumeBatches, QUEUES, subscribeBroadcast, watchQueueCapacity } from '@clew/messaging';
import { createCircuits, createInbox, type Outbox } from '@clew/persistence';
import type { BackgroundTask } from '@clew/runtime';
import { createBackfillProgress, createBackfillRunner, pagesOf, type BackfillPace } from './backfills/index.ts';
import type { KnowledgeConfig } from './config.ts';
import type { GoalStore, StoredGoal } from './goals/index.ts';
import { createItemMerger } from './merging/index.ts';
import type { ProjectModels } from './models/index.ts';
import {
  createAskReaders,
  createCheckQuotes,
  createEndGivenUp,
  createFollowSnapshots,
  createQueueExtractions,
  createExtractionStore,
  createTakeReady,
  createTakeResults,
  type ExtractionsOf,
} from './extractions/index.ts';
import type { SettingsStore } from './settings/index.ts';

export interface ExtractionDependencies extends Pick<
  DatabaseHost<KnowledgeConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger'
> {
  warehouse: ServiceClient;
  settings: SettingsStore;
  models: ProjectModels;
  goals: GoalStore;
  outbox: Outbox;
  pace?: (BackfillPace & { pageSize?: number }) | undefined;
}

/** Runs the extraction of Knowledge, automatic and by backfills, and stores the results. */
export interface Extraction {
  start(): BackgroundTask[];
  readonly backfills: ReturnType<typeof createBackfillRunner>;
  /** Reacts to a goal that was activated, paused or archived: the extractions that wait for it are reconsidered. */
  goalStatusChanged(goal: StoredGoal): Promise<void>;
  /** Tells why the next of some extractions was not requested yet; `undefined` if none waits. */
  waitingOf(projectId: string, some: ExtractionsOf): Promise<Waiting | undefined>;
}

/** Far above the check time of the largest snapshot; items whose check takes longer count as unproven. */
const CHECK_DEADLINE_MS = 20_000;
const INBOX_NAME = 'knowledge-svc.extraction-results';
/** Goals reconsidered at once when a model is available again; further goals follow a little later. */
const MAX_RELEASED_GOALS = 500;

export function createExtraction(deps: ExtractionDependencies): Extraction {
  const { config, database, broker, logger, goals, pace } = deps;
  const extractions = createExtractionStore(database);
  const circuits = createCircuits(database);
  const queueExtractions = createQueueExtractions(extractions);
  const pages = pagesOf(config.MAX_EXTRACTIONS_OF_GOAL, pace?.pageSize);
  const progress = createBackfillProgress({ ...deps, ...pages });
  const patience = { patienceMs: config.EXTRACTION_PATIENCE_MS, minNewTokens: config.EXTRACTION_MIN_NEW_TOKENS };
  const asking = createAskReaders({
    ...{ ...deps, extractions, circuits, patience, pollMs: pace?.pollMs },
    capacity: watchQueueCapacity({ broker, logger, queue: QUEUES.extraction }),
    ...{ waiting: progress.waiting, afterEnd: progress.ended },
  });
  const wakeExtractions = () => asking.wake();
  const backfills = createBackfillRunner({ ...deps, queueExtractions, wakeExtractions, pages, ...pace });
  const wake = () => {
    asking.wake();
    backfills.wake();
  };
  const takeReady = createTakeReady({ ...deps, queueExtractions, wake: wakeExtractions });
  const taking = { ...deps, extractions, patience, afterTaken: progress.taken, wake };
  const takeResults = createTakeResults({
    ...{ ...taking, circuits, inbox: createInbox(database, INBOX_NAME) },
    afterRecovery: (projectId) => releaseGoals(projectId, () => true),
    afterHandedBack: (projectId, counts) => asking.releaseSome(projectId, counts),
    ...{ merger: createItemMerger(database, goals), followSnapshots: createFollowSnapshots(database) },
    checkQuotes: createCheckQuotes({ deadlineMs: CHECK_DEADLINE_MS }),
  });

  async function releaseGoals(projectId: string, isMeant: (goal: StoredGoal) => boolean): Promise<void> {
    const { items } = await goals.list(projectId, { status: 'active' }, { limit: MAX_RELEASED_GOALS });
    const meant = items.filter(isMeant).map(({ id }) => id);
    await asking.release(projectId, meant);
  }

  return {
    backfills,
    waitingOf: (projectId, some) => asking.waitingOf(projectId, some),
    async goalStatusChanged({ projectId, id }) {
      await asking.release(projectId, [id]).catch((error: unknown) => {
        logger.warn({ err: error, goalId: id }, 'what waits for a goal could not be made due');
      });
      backfills.wake();
    },
    start: () => [
      asking.start(),
      backfills.start(),
      consumeBatches({ broker, logger, queue: QUEUES.knowledgeConversations, handle: takeReady }),
      consumeBatches({ broker, logger, queue: QUEUES.extractionResults, handle: takeResults }),
      consume({ broker, logger, queue: QUEUES.extractionGivenUp, handle: createEndGivenUp(taking) }),
      subscribeBroadcast({
        ...{ broker, logger, spec: modelAvailabilityChanged },
        handle: ({ projectId, data: { model } }) =>
          releaseGoals(projectId, (goal) => goal.model === model || goal.model === AUTO_MODEL),
      }),
    ],
  };
}
