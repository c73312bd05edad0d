import type { Route, ServiceClient } from '@clew/http';
import type { InferenceClient } from '@clew/inference';
import type { Clock, CursorCodec } from '@clew/kernel';
import { MAX_LOOKS } from '@clew/contracts';
import { consume, consumeBatches, QUEUES, watchQueueCapacity, type Broker } from '@clew/messaging';
import { createCircuits, createDailyBudget, createInbox, type Database, type Outbox } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { GroupCommit } from '../datasets/index.ts';
import type { DatasetLookup, ExampleStore } from '../examples/index.ts';
import { createAskAtOnce } from './ask-at-once.ts';
import { createAskCollectors } from './ask-collectors.ts';
import { createAskWriters } from './ask-writers.ts';
import { createCatchUps, type CatchUps } from './catch-ups.ts';
import { createCollectNow } from './collect-now.ts';
import { createCollectingDatasets } from './collecting-datasets.ts';
import { collectionRoutes } from './collection.routes.ts';
import { createDecisionStore, type DecisionStore } from './decisions.store.ts';
import { createLookStore } from './looks.store.ts';
import { createNoticeAnalysed, createNoticeItems, createNoticeReviewed } from './notice-changes.ts';
import { createPreview } from './preview.ts';
import { createReadSubjects } from './read-subjects.ts';
import { createReviews } from './reviews.ts';
import { createSynthesisStore } from './syntheses.store.ts';
import { synthesisBudgetCollection } from './synthesis.model.ts';
import { createTakeCollected, createTakeGivenUp } from './take-collected.ts';
import { createTakeGivenUpSyntheses, createTakeSynthesized } from './take-synthesized.ts';

export interface CollectionDependencies {
  database: Database;
  broker: Broker;
  datasets: DatasetLookup;
  examples: ExampleStore;
  groupCommit: GroupCommit;
  outbox: Outbox;
  cursors: CursorCodec;
  modelRuntime: ServiceClient;
  warehouse: ServiceClient;
  diagnostics: ServiceClient;
  knowledge: ServiceClient;
  inference: InferenceClient;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Has Datasets collect Examples by themselves. */
export interface Collection {
  routes: Route[];
  catchUps: Pick<CatchUps, 'begin'>;
  noteRemoval: DecisionStore['noteRemoval'];
  /** Removes what is decided on an erased conversation, or wanted from it; resolves with the number of decisions. */
  erase(projectId: string, conversationId: string): Promise<number>;
  /** Makes due what waited for the models of a project, of which one has changed. */
  modelChanged(projectId: string): Promise<void>;
  start(): BackgroundTask[];
}

const RESULTS_INBOX = 'datasets-svc.collection-results';
const SYNTHESES_INBOX = 'datasets-svc.synthesis-results';
/** Commands for each worker: one in hand, and the next ones ready. */
const COMMANDS_OF_WORKER = 4;
/** Time between two batches of announcements: nobody waits for an Example, and many together cost much less. */
const GATHER_MS = 1_000;
/** Same for what workers found, which has places that others wait for. */
const GATHER_RESULTS_MS = 500;

export function createCollection(given: CollectionDependencies): Collection {
  const { database, broker, logger, clock } = given;
  const decisions = createDecisionStore(database);
  const looks = createLookStore(database);
  const syntheses = createSynthesisStore(database);
  const dependencies = { ...given, decisions, looks, syntheses };
  const workers = watchQueueCapacity({ broker, logger, queue: QUEUES.collection });
  const collecting = createCollectingDatasets(database);
  const circuits = createCircuits(database);
  const work = createAskCollectors({
    ...{ ...dependencies, collecting, circuits },
    capacity() {
      const total = workers().total * COMMANDS_OF_WORKER * MAX_LOOKS;
      return { total, ofProject: total / 2 };
    },
  });
  const budget = createDailyBudget(synthesisBudgetCollection(database));
  const writing = createAskWriters({
    ...{ ...dependencies, collecting, circuits, budget },
    capacity: watchQueueCapacity({ broker, logger, queue: QUEUES.synthesis }),
  });
  const wake = () => work.wake();
  const reviews = createReviews(database);
  const noticing = { looks, collecting, reviews, work, clock };
  const askAtOnce = createAskAtOnce({ ...dependencies, work });
  const gathered = { broker, logger, everyMs: GATHER_MS };
  const inbox = (name: string) => createInbox(database, name);
  const takeCollected = createTakeCollected({
    ...{ ...dependencies, inbox: inbox(RESULTS_INBOX), reviews, rows: work.rows },
    wakeCollectors: wake,
    wakeWriters: () => writing.wake(),
  });
  const takeSynthesized = createTakeSynthesized({
    ...{ ...dependencies, syntheses, budget, circuits, inbox: inbox(SYNTHESES_INBOX) },
    wake: () => writing.wake(),
    afterRecovery: (projectId) => writing.release({ projectId, state: 'due' }),
  });
  const readSubjects = createReadSubjects(dependencies);
  const catchUps = createCatchUps({ ...dependencies, collecting, readSubjects, wake });
  return {
    catchUps,
    noteRemoval: decisions.noteRemoval,
    async erase(projectId, conversationId) {
      const erased = await decisions.erase(projectId, conversationId);
      await syntheses.erase(projectId, conversationId);
      return erased;
    },
    routes: collectionRoutes({
      ...dependencies,
      collectNow: createCollectNow({ ...dependencies, collecting, wake }),
      preview: createPreview({ ...dependencies, collecting, readSubjects }),
    }),
    modelChanged: (projectId) => writing.release({ projectId, state: 'due' }),
    start: () => [
      ...[work.start(), writing.start(), catchUps.start()],
      consumeBatches({
        ...gathered,
        queue: QUEUES.analysedSnapshots,
        handle: createNoticeAnalysed({ ...noticing, askAtOnce }),
      }),
      consumeBatches({ ...gathered, queue: QUEUES.reviewedFindings, handle: createNoticeReviewed(noticing) }),
      consumeBatches({ ...gathered, queue: QUEUES.changedItems, handle: createNoticeItems(noticing) }),
      consumeBatches({
        ...{ broker, logger, queue: QUEUES.collectionResults, handle: takeCollected },
        everyMs: GATHER_RESULTS_MS,
      }),
      consume({ broker, logger, queue: QUEUES.collectionGivenUp, handle: createTakeGivenUp(takeCollected) }),
      consumeBatches({ broker, logger, queue: QUEUES.synthesisResults, handle: takeSynthesized }),
      consume({ broker, logger, queue: QUEUES.synthesisGivenUp, handle: createTakeGivenUpSyntheses(takeSynthesized) }),
    ],
  };
}
