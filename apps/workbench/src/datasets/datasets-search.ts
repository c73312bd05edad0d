import type { DatasetListQuery } from '../examples/queries.ts';

export const COLLECTION_STATUSES = ['ready', 'setup_required', 'off'] as const;

/** State of the list of Datasets, all of which is in the address. */
export interface DatasetsSearch {
  readonly q?: string;
  readonly status?: (typeof COLLECTION_STATUSES)[number];
}

const MAX_TEXT = 200;

/** Reads the state from an address; whatever the API would refuse is left out. */
export function parseDatasetsSearch(given: Readonly<Record<string, unknown>>): DatasetsSearch {
  const { q, status } = given;
  const text = typeof q === 'string' ? q.trim().slice(0, MAX_TEXT).trim() : '';
  const known = COLLECTION_STATUSES.find((each) => each === status);
  return { ...(text === '' ? {} : { q: text }), ...(known === undefined ? {} : { status: known }) };
}

/** Query of the API for a state. */
export function datasetListOf({ q, status }: DatasetsSearch): DatasetListQuery {
  return {
    ...(q === undefined ? {} : { q }),
    ...(status === undefined ? {} : { collectionStatus: status }),
    limit: 100,
  };
}
