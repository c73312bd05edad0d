import { collectionRequested, MAX_LOOKS, type CollectionObjective, type CollectionSubject } from '@clew/contracts';
import { inParts, sha256Hex } from '@clew/kernel';
import { outboxMessage, type AnyOutboxMessage } from '@clew/persistence';
import type { CollectingDataset } from './collecting-datasets.ts';

/** Look that is handed to a worker. */
export interface AskedLook {
  /** Id of its decision. */
  _id: string;
  datasetId: string;
  objective: CollectionObjective;
  subject: CollectionSubject;
  /** How often the subject has been looked at, this time included. */
  round: number;
}

/** Commands for the looks of a project, many of a Dataset in one. */
export function lookCommands(
  projectId: string,
  asked: readonly AskedLook[],
  { datasets, nowMs }: { datasets: ReadonlyMap<string, Pick<CollectingDataset, 'redaction'>>; nowMs: number },
): AnyOutboxMessage[] {
  const byDataset = Map.groupBy(asked, ({ datasetId, objective }) => `${datasetId} ${objective}`);
  return [...byDataset.values()].flatMap((some) =>
    inParts(some, () => 1, MAX_LOOKS).flatMap((part): AnyOutboxMessage[] => {
      const [first] = part;
      if (first === undefined) return [];
      const { datasetId, objective } = first;
      return [
        outboxMessage(collectionRequested, {
          ...{ key: sha256Hex(part.map(keyOf).join('\n')), projectId, requestId: null, occurredAt: nowMs },
          data: {
            ...{ datasetId, objective, redaction: datasets.get(datasetId)?.redaction ?? true },
            looks: part.map(({ subject, round }) => ({ subject, round })),
          },
        }),
      ];
    }),
  );
}

function keyOf({ _id, subject, round }: AskedLook): string {
  return `${_id}:${subject.kind === 'item' ? null : subject.snapshotId}:${round}`;
}
