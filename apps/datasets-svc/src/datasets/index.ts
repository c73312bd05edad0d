export { needsModel } from './dataset.ts';
export { createDatasetRemover, type DatasetRemover, type DatasetRemoverOptions } from './dataset-remover.ts';
export { createDatasetViews } from './dataset-views.ts';
export { datasetCollection, datasetModel, type DatasetDocument } from './dataset.model.ts';
export { datasetRoutes } from './datasets.routes.ts';
export { createDatasetsService, type CatchingUp } from './datasets.service.ts';
export { createDatasetStore, type DatasetStore } from './datasets.store.ts';
export { createGroupCommit, type GroupCommit } from './group-commit.ts';
