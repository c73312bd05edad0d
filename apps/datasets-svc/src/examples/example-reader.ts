import { notFound, takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import type { ExampleHistory } from './example-history.store.ts';
import { placeKey, type DatasetKey, type ReadableVersion, type StoredExample } from './example.ts';
import type { ExampleStore } from './examples.store.ts';

/** Look-ups of Datasets and their versions, provided by the folders that store them. */
export interface DatasetLookup {
  /** Reads a Dataset that is not deleted. */
  get(projectId: string, datasetId: string): Promise<{ version: number } | undefined>;
}

export interface VersionLookup {
  get(key: DatasetKey, version: number): Promise<ReadableVersion | undefined>;
}

/** Reads the Examples of a Dataset, current or as of a version. */
export interface ExampleReader {
  /** Resolves the version that a walk over a Dataset sees, the current one by default. Throws NOT_FOUND. */
  versionOf(key: DatasetKey, version?: number): Promise<ReadableVersion>;
  /** Reads current Examples, or those of a version, newest first. */
  slice(key: DatasetKey, version: ReadableVersion | undefined, slice: SliceRequest): Promise<Slice<StoredExample>>;
  /** Reads all Examples of the version in slices, newest first; changes made meanwhile do not show. */
  slices(key: DatasetKey, version: ReadableVersion): AsyncIterable<readonly StoredExample[]>;
}

export interface ExampleReaderDependencies {
  datasets: DatasetLookup;
  versions: VersionLookup;
  examples: ExampleStore;
  history: ExampleHistory;
}

/** Limit on the memory of one request, in characters: an Example may be megabytes large. */
export const MAX_SLICE_SIZE = { max: 8 * 1024 * 1024, of: ({ body }: StoredExample) => body.length };
const SLICE_LENGTH = 1_000;

export function createExampleReader(deps: ExampleReaderDependencies): ExampleReader {
  const { datasets, versions, examples, history } = deps;

  const slice: ExampleReader['slice'] = (key, version, request) => {
    const walk = version === undefined ? examples.walk(key, request) : history.walk(key, version, request);
    return takeSlice(walk, { limit: request.limit, keyOf: placeKey, size: MAX_SLICE_SIZE });
  };

  return {
    slice,
    async versionOf(key, version) {
      const dataset = await datasets.get(key.projectId, key.datasetId);
      if (dataset === undefined) throw notFound();
      const found = await versions.get(key, version ?? dataset.version);
      if (found === undefined) throw notFound('NOT_FOUND', 'The Dataset has no such version');
      return found;
    },
    async *slices(key, version) {
      let after: CursorKey | undefined;
      do {
        const { items, next } = await slice(key, version, { limit: SLICE_LENGTH, after });
        yield items;
        after = next;
      } while (after !== undefined);
    },
  };
}
