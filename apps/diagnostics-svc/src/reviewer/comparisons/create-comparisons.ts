import { consume, consumeBatches, QUEUES, watchQueueCapacity, type Broker } from '@clew/messaging';
import { createInbox, type Database } from '@clew/persistence';
import type { BackgroundTask } from '@clew/runtime';
import { createAskComparisons, type AskComparisonsDependencies } from './ask-comparisons.ts';
import { createComparisonStore, type ComparisonStore } from './comparisons.store.ts';
import {
  createEndGivenUpComparisons,
  createTakeComparisons,
  type TakeComparisonsDependencies,
} from './take-comparisons.ts';

export interface ComparisonsDependencies
  extends
    Omit<AskComparisonsDependencies, 'comparisons' | 'capacity'>,
    Omit<TakeComparisonsDependencies, 'comparisons' | 'inbox' | 'wake'> {
  database: Database;
  broker: Broker;
}

/** Has models tell which kinds of problems are the same in other words. */
export interface Comparisons extends Pick<ComparisonStore, 'want'> {
  /** Reconsiders the comparisons of a project that wait for its models or its budget. */
  release(projectId: string): Promise<void>;
  /** Reconsiders the comparisons whose model was away. */
  releaseAway(projectId: string): Promise<void>;
  start(): BackgroundTask[];
}

const INBOX_NAME = 'diagnostics-svc.kind-comparison-results';
const MAX_WAIT_MS = 300;

export function createComparisons(dependencies: ComparisonsDependencies): Comparisons {
  const { database, broker, logger } = dependencies;
  const comparisons = createComparisonStore(database);
  const asking = createAskComparisons({
    ...{ ...dependencies, comparisons },
    capacity: watchQueueCapacity({ broker, logger, queue: QUEUES.kindComparison }),
  });
  const take = createTakeComparisons({
    ...{ ...dependencies, comparisons },
    inbox: createInbox(database, INBOX_NAME),
    wake: () => asking.wake(),
  });
  return {
    want: comparisons.want,
    release: (projectId) => asking.release({ projectId, state: 'due' }),
    releaseAway: (projectId) => asking.release({ projectId, state: 'due', awaySince: { $gt: 0 } }),
    start: () => [
      asking.start(),
      consumeBatches({ broker, logger, maxWaitMs: MAX_WAIT_MS, queue: QUEUES.kindComparisonResults, handle: take }),
      consume({
        ...{ broker, logger, queue: QUEUES.kindComparisonGivenUp },
        handle: createEndGivenUpComparisons({ database, comparisons }),
      }),
    ],
  };
}
