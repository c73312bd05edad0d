import type { ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import { consume, QUEUES, watchQueueCapacity, type Broker } from '@clew/messaging';
import { createCircuits, createInbox, createOutbox, type Database, type Transaction } from '@clew/persistence';
import type { Logger, BackgroundTask } from '@clew/runtime';
import { createAnalysisStore } from '../analyses/index.ts';
import type { TakenResults } from '../results/results.service.ts';
import { createResultStore } from '../results/results.store.ts';
import type { SettingsStore } from '../settings/settings.store.ts';
import { createAdjudicationStore } from './adjudications.store.ts';
import { createAskJudges, type AskJudges, type ConfigurationsOf } from './ask-judges.ts';
import { createBudgetStore } from './budget.store.ts';
import { createJudges } from './judges.ts';
import { createQueueAdjudications } from './queue-adjudications.ts';
import { createEndGivenUp, createTakeVerdicts, type TakeVerdictsDependencies } from './take-verdicts.ts';
import { createVerdictWriter } from './verdict-writer.ts';

export interface AdjudicationDependencies {
  database: Database;
  broker: Broker;
  settings: SettingsStore;
  modelRuntime: ServiceClient;
  configurationsOf: ConfigurationsOf;
  withoutErased: TakeVerdictsDependencies['withoutErased'];
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Has models confirm or refute the findings of Rules. */
export interface Adjudication {
  /** Queues the adjudication of new findings, in the transaction of their results. */
  queue(tx: Transaction, results: TakenResults): Promise<void>;
  /** Tells why a judge was not asked yet about the findings of a Rule in a conversation; `undefined` if none waits. */
  waitingOf: AskJudges['waitingOf'];
  /** Reconsiders the waiting adjudications of a project, after its budget has changed. */
  budgetChanged(projectId: string): Promise<void>;
  start(): BackgroundTask[];
}

const INBOX_NAME = 'diagnostics-svc.adjudication-results';

export function createAdjudication(dependencies: AdjudicationDependencies): Adjudication {
  const { database, broker, clock, logger } = dependencies;
  const outbox = createOutbox(database);
  const adjudications = createAdjudicationStore(database);
  const budgets = createBudgetStore(database, 'adjudication');
  const [analyses, results] = [createAnalysisStore(database), createResultStore(database)];
  const verdicts = createVerdictWriter({ database, results, analyses, outbox, clock });
  const judges = createJudges(dependencies.modelRuntime);
  const circuits = createCircuits(database);
  const capacity = watchQueueCapacity({ broker, logger, queue: QUEUES.adjudication });
  const asking = createAskJudges({
    ...{ ...dependencies, adjudications, budgets, circuits, capacity, judges, verdicts, outbox },
  });
  const inbox = createInbox(database, INBOX_NAME);
  const take = createTakeVerdicts({
    ...{ ...dependencies, inbox, adjudications, budgets, circuits, verdicts },
    wake: () => asking.wake(),
    afterRecovery: (projectId) => asking.release(projectId),
  });
  const endGivenUp = createEndGivenUp({ database, adjudications });
  return {
    queue: createQueueAdjudications({ database, adjudications, wake: () => asking.wake() }),
    waitingOf: (projectId, found) => asking.waitingOf(projectId, found),
    budgetChanged: (projectId) => asking.release(projectId),
    start: () => [
      asking.start(),
      consume({ broker, logger, queue: QUEUES.adjudicationResults, handle: take }),
      consume({ broker, logger, queue: QUEUES.adjudicationGivenUp, handle: endGivenUp }),
    ],
  };
}
