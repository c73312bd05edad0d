import { createDataset, deleteDataset, getDataset, listDatasets, updateDataset, type Dataset } from '@clew/contracts';
import { answer, doerOf, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import type { DatasetFields } from './dataset.ts';
import { datasetEtag, type DatasetConditions, type DatasetsService } from './datasets.service.ts';

export function datasetRoutes(datasets: DatasetsService): Route[] {
  return [
    route(
      createDataset,
      async ({ params, body }, { attempt, requestId }) => {
        const created = await datasets.create(params.projectId, body, requestId, async (tx, dataset) => {
          await attempt?.record(tx, createdReply(dataset));
        });
        return createdReply(created);
      },
      { replay: async (kept) => ({ ...kept, body: await datasets.asOfNow(kept.body) }) },
    ),
    route(listDatasets, async ({ params, query }) => answer(200, await datasets.list(params.projectId, query))),
    route(getDataset, async ({ params }) => foundReply(await datasets.get(params.projectId, params.datasetId))),
    route(updateDataset, async ({ params, body }, context) =>
      foundReply(await datasets.update(params, body, conditionsOf(context))),
    ),
    route(deleteDataset, async ({ params }, context) => {
      const isGone = await datasets.remove(params, { ...conditionsOf(context), doer: doerOf(context) });
      return isGone ? answer(204, null) : answer(202, { id: params.datasetId, status: 'deleting' as const });
    }),
  ];
}

function createdReply(dataset: Dataset) {
  const location = `/v1/projects/${dataset.projectId}/datasets/${dataset.id}`;
  return answer(201, dataset, { location, etag: datasetEtag(dataset) });
}

function foundReply(dataset: Dataset) {
  return answer(200, dataset, { etag: datasetEtag(dataset) });
}

function conditionsOf({ request, requestId }: RequestContext): DatasetConditions {
  const precondition = preconditionOf(request);
  return { requestId, check: (current: DatasetFields) => precondition.check(datasetEtag(current)) };
}
