import type { Api } from '@clew/sdk';
import type { DatasetSearch } from './dataset-search.ts';

/** Facts that every tab of a Dataset gets. */
export interface TabProps {
  readonly projectId: string;
  readonly dataset: Api.Dataset;
  /** Entity tag of what is shown. */
  readonly etag: string | undefined;
  readonly search: DatasetSearch;
  readonly onSearch: (search: DatasetSearch) => void;
  readonly mayWrite: boolean;
}
