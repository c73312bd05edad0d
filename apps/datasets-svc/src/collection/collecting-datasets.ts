import { OBJECTIVES_FROM_CONVERSATIONS, type CollectionObjective } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { datasetCollection, type DatasetDocument } from '../datasets/index.ts';

/** Dataset that collects at the moment. */
export interface CollectingDataset {
  datasetId: string;
  objective: CollectionObjective;
  /** Model that its policy names. */
  model: string | undefined;
  /** Goals whose items it takes; undefined for all. */
  goalIds: readonly string[] | undefined;
  redaction: boolean;
  dailySyntheses: number;
}

/** Finds the Datasets of a project that collect. */
export interface CollectingDatasets {
  /** Those that collect from conversations. */
  fromConversations(projectId: string): Promise<CollectingDataset[]>;
  /** Those that collect from Knowledge items. */
  fromItems(projectId: string): Promise<CollectingDataset[]>;
  /** Policy of a Dataset, enabled or not; null if it has none, undefined if there is no such Dataset. */
  policyOf(projectId: string, datasetId: string): Promise<CollectingDataset | null | undefined>;
  /** Those of some Datasets that collect, by id. */
  among(projectId: string, datasetIds: readonly string[]): Promise<ReadonlyMap<string, CollectingDataset>>;
}

/** Maximum number of collecting Datasets of a project: each looks at every conversation or item. */
const MAX_COLLECTING = 100;
const PROJECTION = { policy: 1, collectedRedaction: 1, dailySyntheses: 1 } as const;

export function createCollectingDatasets(database: Pick<Database, 'connection'>): CollectingDatasets {
  const datasets = datasetCollection(database);
  const collecting = (projectId: string) => ({ projectId, state: 'active' as const, collectionEnabled: true });

  async function withObjective(projectId: string, objectives: readonly CollectionObjective[]) {
    const filter = { ...collecting(projectId), 'policy.objective': { $in: [...objectives] } };
    const latest = { projection: PROJECTION, sort: { createdAt: -1, _id: -1 }, limit: MAX_COLLECTING } as const;
    return (await datasets.find(filter, latest).toArray()).flatMap(collectingDataset);
  }

  return {
    fromConversations: (projectId) => withObjective(projectId, OBJECTIVES_FROM_CONVERSATIONS),
    fromItems: (projectId) => withObjective(projectId, ['teach_project_knowledge']),
    async policyOf(projectId, datasetId) {
      const filter = { _id: datasetId, projectId, state: 'active' as const };
      const found = await datasets.findOne(filter, { projection: PROJECTION });
      return found === null ? undefined : (collectingDataset(found)[0] ?? null);
    },
    async among(projectId, datasetIds) {
      const filter = { ...collecting(projectId), _id: { $in: [...new Set(datasetIds)] } };
      const found = await datasets.find(filter, { projection: PROJECTION }).toArray();
      return new Map(found.flatMap(collectingDataset).map((each) => [each.datasetId, each]));
    },
  };
}

type Found = Pick<DatasetDocument, '_id' | keyof typeof PROJECTION>;

function collectingDataset({ _id, policy, collectedRedaction, dailySyntheses }: Found): CollectingDataset[] {
  if (policy === null) return [];
  const { objective, model, filters } = policy;
  const redaction = collectedRedaction !== 'off';
  return [{ datasetId: _id, objective, model, goalIds: filters?.knowledgeGoalIds, redaction, dailySyntheses }];
}
