import type { Dataset, DatasetsQuery } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { keysetKey } from '@clew/persistence';
import type { DatasetViews } from './dataset-views.ts';
import { DATASETS, type DatasetStore } from './datasets.store.ts';

/** Datasets that a filtered page looks at. */
const MAX_LOOKED_AT = 500;
const SPACES = /\s/;

/**
 * Creates a function that reads a page of Datasets. The state of one depends on its model, so a filtered page looks at
 * some in their order, and may hold fewer than the limit.
 */
export function createDatasetLists({
  datasets,
  views,
}: {
  datasets: Pick<DatasetStore, 'list'>;
  views: Pick<DatasetViews, 'ofPage'>;
}) {
  return async (
    projectId: string,
    { q, collectionStatus }: Pick<DatasetsQuery, 'q' | 'collectionStatus'>,
    slice: SliceRequest,
  ): Promise<Slice<Dataset>> => {
    const isFiltered = q !== undefined || collectionStatus !== undefined;
    const limit = isFiltered ? MAX_LOOKED_AT : slice.limit;
    const found = await datasets.list(projectId, { ...slice, limit });
    const isFound = (dataset: Dataset) =>
      (q === undefined || namesBeginWith(dataset.name, q)) &&
      (collectionStatus === undefined || dataset.collectionStatus === collectionStatus);
    const items = (await views.ofPage(projectId, found.items)).filter(isFound);
    const last = items[slice.limit - 1];
    if (items.length <= slice.limit || last === undefined) return { items, next: found.next };
    return { items: items.slice(0, slice.limit), next: keysetKey(DATASETS.order, { ...last, _id: last.id }) };
  };
}

/** Whether each word of a search begins a word of a name. */
function namesBeginWith(name: string, q: string): boolean {
  const words = name.toLowerCase().split(SPACES);
  return q
    .toLowerCase()
    .split(SPACES)
    .every((sought) => words.some((word) => word.startsWith(sought)));
}
