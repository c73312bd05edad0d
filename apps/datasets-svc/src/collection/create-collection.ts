import type { Route } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import { MAX_COLLECTED_CONVERSATIONS } from '@clew/contracts';
import { consume, consumeBatches, QUEUES, watchQueueCapacity, type Broker } from '@clew/messaging';
import { createCircuits, createInbox, type Database, type Outbox } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { GroupCommit } from '../datasets/index.ts';
import type { DatasetLookup, ExampleStore } from '../examples/index.ts';
import { createAskCollectors } from './ask-collectors.ts';
import { createCollectingDatasets } from './collecting-datasets.ts';
import { collectionRoutes } from './collection.routes.ts';
import type { DecisionStore } from './decisions.store.ts';
import { createNoticeAnalysed, createNoticeReviewed } from './notice-changes.ts';
import { createTakeCollected, createTakeGivenUp } from './take-collected.ts';

export interface CollectionDependencies {
  database: Database;
  broker: Broker;
  datasets: DatasetLookup;
  examples: ExampleStore;
  decisions: DecisionStore;
  groupCommit: GroupCommit;
  outbox: Outbox;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Has Datasets collect Examples by themselves. */
export interface Collection {
  routes: Route[];
  start(): BackgroundTask[];
}

const INBOX_NAME = 'datasets-svc.collection-results';
/** Commands for each worker: one in hand, and the next ones ready. */
const COMMANDS_OF_WORKER = 4;

export function createCollection(dependencies: CollectionDependencies): Collection {
  const { database, broker, logger, decisions, clock } = dependencies;
  const workers = watchQueueCapacity({ broker, logger, queue: QUEUES.collection });
  const collecting = createCollectingDatasets(database);
  const work = createAskCollectors({
    ...{ ...dependencies, collecting },
    circuits: createCircuits(database),
    capacity() {
      const total = workers().total * COMMANDS_OF_WORKER * MAX_COLLECTED_CONVERSATIONS;
      return { total, ofProject: total / 2 };
    },
  });
  const noticing = { decisions, collecting, work, clock };
  const take = createTakeCollected({
    ...dependencies,
    inbox: createInbox(database, INBOX_NAME),
    wake: () => work.wake(),
  });
  return {
    routes: collectionRoutes(dependencies),
    start: () => [
      work.start(),
      consumeBatches({ broker, logger, queue: QUEUES.analysedSnapshots, handle: createNoticeAnalysed(noticing) }),
      consumeBatches({ broker, logger, queue: QUEUES.reviewedFindings, handle: createNoticeReviewed(noticing) }),
      consumeBatches({ broker, logger, queue: QUEUES.collectionResults, handle: take }),
      consume({ broker, logger, queue: QUEUES.collectionGivenUp, handle: createTakeGivenUp(take) }),
    ],
  };
}
