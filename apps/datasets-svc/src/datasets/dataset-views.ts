import type { Dataset } from '@clew/contracts';
import type { ModelAvailabilities } from '../models/index.ts';
import { collectionState, datasetView, neededModel, type StoredDataset } from './dataset.ts';

/** Datasets as callers see them, with the state that depends on their models. */
export interface DatasetViews {
  of(dataset: StoredDataset): Promise<Dataset>;
  /** Views of Datasets of one project; all the models that they need are asked for at once. */
  ofPage(projectId: string, page: readonly StoredDataset[]): Promise<Dataset[]>;
  /** View of a Dataset as it was answered before, with the current state of its model. */
  asOfNow(answered: Dataset): Promise<Dataset>;
}

export function createDatasetViews(models: Pick<ModelAvailabilities, 'of'>): DatasetViews {
  const known = (projectId: string, needed: readonly (string | undefined)[]) =>
    models.of(
      projectId,
      needed.filter((model) => model !== undefined),
    );
  return {
    async of(dataset) {
      return datasetView(dataset, await known(dataset.projectId, [neededModel(dataset)]));
    },
    async ofPage(projectId, page) {
      const available = await known(projectId, page.map(neededModel));
      return page.map((dataset) => datasetView(dataset, available));
    },
    async asOfNow(answered) {
      const { projectId, collectionPolicy: policy, collectionEnabled } = answered;
      const collecting = { policy, collectionEnabled };
      return { ...answered, ...collectionState(collecting, await known(projectId, [neededModel(collecting)])) };
    },
  };
}
