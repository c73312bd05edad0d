import { OBJECTIVES_FROM_CONVERSATIONS, readReadySnapshots } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { DatasetKey, DatasetLookup } from '../examples/index.ts';
import type { CollectingDatasets } from './collecting-datasets.ts';
import type { DecisionStore } from './decisions.store.ts';
import { decisionIdOf, type LookStore, type WantedLook } from './looks.store.ts';

export interface CollectNowDependencies {
  datasets: DatasetLookup;
  collecting: Pick<CollectingDatasets, 'among'>;
  looks: Pick<LookStore, 'want'>;
  decisions: Pick<DecisionStore, 'forgetRefused'>;
  warehouse: ServiceClient;
  clock: Clock;
  /** Tells that looks are due. */
  wake(): void;
}

/** Has a Dataset look at conversations at once; a model that refused one of them before is asked again. */
export function createCollectNow(dependencies: CollectNowDependencies) {
  const { datasets, collecting, looks, decisions, warehouse, clock, wake } = dependencies;
  return async (
    { projectId, datasetId }: DatasetKey,
    conversationIds: string[],
    requestId: string,
  ): Promise<{ conversationIds: string[]; unknown: string[] }> => {
    if ((await datasets.get(projectId, datasetId)) === undefined) throw notFound();
    const objective = (await collecting.among(projectId, [datasetId])).get(datasetId)?.objective;
    if (objective === undefined || !OBJECTIVES_FROM_CONVERSATIONS.includes(objective))
      throw new AppError('COLLECTION_OFF', 'The Dataset does not collect from conversations');
    const { conversations } = await warehouse.call(readReadySnapshots, {
      params: { projectId },
      body: { conversationIds },
      requestId,
    });
    const wanted = conversations.map(({ conversationId, snapshotId }): WantedLook => {
      return { projectId, datasetId, objective, subject: { kind: 'conversation', conversationId, snapshotId } };
    });
    await decisions.forgetRefused(wanted.map(decisionIdOf));
    await looks.want(wanted, clock.now());
    wake();
    const found = new Set(conversations.map(({ conversationId }) => conversationId));
    return {
      conversationIds: conversationIds.filter((id) => found.has(id)),
      unknown: conversationIds.filter((id) => !found.has(id)),
    };
  };
}
