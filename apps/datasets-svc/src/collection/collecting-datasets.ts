import type { CollectionObjective } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { datasetCollection } from '../datasets/index.ts';

/** Dataset that collects from conversations at the moment. */
export interface CollectingDataset {
  datasetId: string;
  objective: CollectionObjective;
}

/** Finds the Datasets of a project that collect from conversations. */
export interface CollectingDatasets {
  of(projectId: string): Promise<CollectingDataset[]>;
  /** Those of some Datasets that want what they collect as it was said. */
  unredacted(projectId: string, datasetIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Objectives whose Examples come from conversations and need no model. */
const FROM_CONVERSATIONS: readonly CollectionObjective[] = ['preserve_successful_behavior'];
/** Maximum number of collecting Datasets of a project: each looks at every conversation. */
const MAX_COLLECTING = 100;

export function createCollectingDatasets(database: Pick<Database, 'connection'>): CollectingDatasets {
  const datasets = datasetCollection(database);
  return {
    async of(projectId) {
      const filter = {
        ...{ projectId, state: 'active' as const, collectionEnabled: true },
        'policy.objective': { $in: [...FROM_CONVERSATIONS] },
      };
      const found = await datasets
        .find(filter, {
          projection: { 'policy.objective': 1 },
          sort: { createdAt: -1, _id: -1 },
          limit: MAX_COLLECTING,
        })
        .toArray();
      return found.flatMap(({ _id: datasetId, policy }) =>
        policy === null ? [] : [{ datasetId, objective: policy.objective }],
      );
    },
    async unredacted(projectId, datasetIds) {
      const _id = { $in: [...new Set(datasetIds)] };
      const filter = { _id, projectId, collectedRedaction: 'off' as const };
      const found = await datasets.find(filter, { projection: { _id: 1 } }).toArray();
      return new Set(found.map((dataset) => dataset._id));
    },
  };
}
