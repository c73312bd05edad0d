import { MAX_LOOKS } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import {
  ANSWER_WITHIN_MS,
  createAskedWork,
  type AskedWork,
  type Capacity,
  type Circuits,
  type Database,
  type Outbox,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { CollectingDataset, CollectingDatasets } from './collecting-datasets.ts';
import { decisionCollection, type DecisionDocument } from './decision.model.ts';
import { subjectOf, type DecisionStore } from './decisions.store.ts';
import { lookCommands } from './look-commands.ts';

export interface AskCollectorsDependencies {
  database: Database;
  decisions: DecisionStore;
  collecting: Pick<CollectingDatasets, 'among'>;
  circuits: Circuits;
  /** Looks that workers may have in hand, in all and of one project. */
  capacity(): Capacity;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Maximum number of looks of one project that are sent in one transaction. */
const GROUP_SIZE = 4 * MAX_LOOKS;
const MAX_ATTEMPTS = 30;

/** Sends due looks to workers, many of a Dataset in one command, with the projects taking turns. */
export function createAskCollectors(dependencies: AskCollectorsDependencies): AskedWork<DecisionDocument> {
  const { database, decisions, circuits, clock, logger, capacity, outbox, pollMs } = dependencies;
  const work: AskedWork<DecisionDocument> = createAskedWork<
    DecisionDocument,
    object,
    ReadonlyMap<string, CollectingDataset>,
    undefined
  >({
    ...{ name: 'collection', database, circuits, clock, logger, capacity, pollMs },
    ...{ collection: decisionCollection(database), groupSize: GROUP_SIZE, maxAttempts: MAX_ATTEMPTS },
    look: (projectId, claimed) =>
      dependencies.collecting.among(
        projectId,
        claimed.map(({ datasetId }) => datasetId),
      ),
    async decide(tx, projectId, claimed, datasets) {
      const nowMs = clock.now();
      const room = Math.max(0, await work.roomOf(tx, projectId, nowMs));
      const asked = claimed.slice(0, room);
      for (const row of claimed.slice(room)) await work.rows.settle(tx, [row], { dueAt: nowMs });
      await work.rows.settle(tx, asked, { dueAt: nowMs + ANSWER_WITHIN_MS });
      await decisions.asked(tx, asked);
      const looks = asked.map((row) => ({ ...row, subject: subjectOf(row), round: row.rounds + 1 }));
      await outbox.appendMany(tx, lookCommands(projectId, looks, { datasets, nowMs }));
      return undefined;
    },
    putOffSince: async () => undefined,
    putOffReason: 'places',
  });
  return work;
}
