import { collectionRequested, MAX_COLLECTED_CONVERSATIONS } from '@clew/contracts';
import { inParts, sha256Hex, type Clock } from '@clew/kernel';
import {
  ANSWER_WITHIN_MS,
  createAskedWork,
  outboxMessage,
  type AnyOutboxMessage,
  type AskedWork,
  type Capacity,
  type Circuits,
  type Database,
  type Outbox,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { CollectingDatasets } from './collecting-datasets.ts';
import { decisionCollection, type DecisionDocument } from './decision.model.ts';
import type { ClaimedLook, DecisionStore } from './decisions.store.ts';

export interface AskCollectorsDependencies {
  database: Database;
  decisions: DecisionStore;
  collecting: Pick<CollectingDatasets, 'unredacted'>;
  circuits: Circuits;
  /** Conversations that workers may have in hand, in all and of one project. */
  capacity(): Capacity;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  pollMs?: number | undefined;
}

/** Maximum number of conversations of one project that are sent in one transaction. */
const GROUP_SIZE = 4 * MAX_COLLECTED_CONVERSATIONS;
const MAX_ATTEMPTS = 30;

/** Sends due looks to workers, many conversations of a Dataset in one command, with the projects taking turns. */
export function createAskCollectors(dependencies: AskCollectorsDependencies): AskedWork<DecisionDocument> {
  const { database, decisions, circuits, clock, logger, capacity, outbox, pollMs } = dependencies;
  const { unredacted } = dependencies.collecting;
  const work: AskedWork<DecisionDocument> = createAskedWork<DecisionDocument, object, ReadonlySet<string>, undefined>({
    ...{ name: 'collection', database, circuits, clock, logger, capacity, pollMs },
    ...{ collection: decisionCollection(database), groupSize: GROUP_SIZE, maxAttempts: MAX_ATTEMPTS },
    look: (projectId, claimed) =>
      unredacted(
        projectId,
        claimed.map(({ datasetId }) => datasetId),
      ),
    async decide(tx, projectId, claimed, plain) {
      const nowMs = clock.now();
      const room = Math.max(0, await work.roomOf(tx, projectId, nowMs));
      const asked = claimed.slice(0, room);
      for (const row of claimed.slice(room)) await work.rows.settle(tx, [row], { dueAt: nowMs });
      await work.rows.settle(tx, asked, { dueAt: nowMs + ANSWER_WITHIN_MS });
      await decisions.asked(tx, asked);
      await outbox.appendMany(tx, commandsOf(projectId, asked, { plain, nowMs }));
      return undefined;
    },
    putOffSince: async () => undefined,
    putOffReason: 'places',
  });
  return work;
}

function commandsOf(
  projectId: string,
  asked: readonly ClaimedLook[],
  { plain, nowMs }: { plain: ReadonlySet<string>; nowMs: number },
): AnyOutboxMessage[] {
  const byDataset = Map.groupBy(asked, ({ datasetId, objective }) => `${datasetId} ${objective}`);
  return [...byDataset.values()].flatMap((rows) =>
    inParts(rows, () => 1, MAX_COLLECTED_CONVERSATIONS).flatMap((part): AnyOutboxMessage[] => {
      const [first] = part;
      if (first === undefined) return [];
      const conversations = part.map(({ conversationId, snapshotId, rounds }) => {
        return { conversationId, snapshotId, round: rounds + 1 };
      });
      const key = part.map(({ _id, snapshotId, rounds }) => `${_id}:${snapshotId}:${rounds + 1}`).join('\n');
      const { datasetId, objective } = first;
      return [
        outboxMessage(collectionRequested, {
          ...{ key: sha256Hex(key), projectId, requestId: null, occurredAt: nowMs },
          data: { datasetId, objective, redaction: !plain.has(datasetId), conversations },
        }),
      ];
    }),
  );
}
