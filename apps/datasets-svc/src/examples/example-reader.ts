import { notFound } from '@clew/kernel';
import { takePage, type Page } from '../list-page.ts';
import type { ExampleHistory } from './example-history.store.ts';
import type { DatasetKey, ReadableVersion, StoredExample } from './example.ts';
import type { ExampleStore, WalkPage } from './examples.store.ts';

/** What reads need to know of Datasets and their versions, from those who keep them. */
export interface DatasetLookup {
  /** One that is not deleted. */
  get(projectId: string, datasetId: string): Promise<{ version: number } | undefined>;
}

export interface VersionLookup {
  get(key: DatasetKey, version: number): Promise<ReadableVersion | undefined>;
}

/** Reads the Examples of a Dataset as it is, or was at a version. */
export interface ExampleReader {
  /** The version that a walk over a Dataset is to see; throws NOT_FOUND. The current one where none is asked for. */
  versionOf(key: DatasetKey, version?: number): Promise<ReadableVersion>;
  /** One page of the current Examples, or of those of a version. */
  page(key: DatasetKey, version: ReadableVersion | undefined, page: WalkPage): Promise<Page<StoredExample>>;
  /** All Examples of the version, newest first, page by page; what changes meanwhile does not show. */
  pages(key: DatasetKey, version: ReadableVersion): AsyncIterable<readonly StoredExample[]>;
}

export interface ExampleReaderDependencies {
  datasets: DatasetLookup;
  versions: VersionLookup;
  examples: ExampleStore;
  history: ExampleHistory;
}

/** Bounds the memory of one request: Examples may be megabytes each. */
export const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;
const PAGE_SIZE = 1_000;

export function createExampleReader(deps: ExampleReaderDependencies): ExampleReader {
  const { datasets, versions, examples, history } = deps;

  const page: ExampleReader['page'] = (key, version, { limit, after }) => {
    // One more than asked for, to know whether there is a next page.
    const ahead = { limit: limit + 1, after };
    const walk = version === undefined ? examples.walk(key, ahead) : history.walk(key, version, ahead);
    return takePage(walk, { limit, maxSize: MAX_PAGE_CHARACTERS, sizeOf: ({ body }) => body.length });
  };

  return {
    page,
    async versionOf(key, version) {
      const dataset = await datasets.get(key.projectId, key.datasetId);
      if (dataset === undefined) throw notFound();
      const found = await versions.get(key, version ?? dataset.version);
      if (found === undefined) throw notFound('NOT_FOUND', 'The Dataset has no such version');
      return found;
    },
    async *pages(key, version) {
      let after: WalkPage['after'];
      for (;;) {
        const { items, more } = await page(key, version, { limit: PAGE_SIZE, after });
        yield items;
        const last = items.at(-1);
        if (!more || last === undefined) return;
        after = [last.createdAt, last.id];
      }
    },
  };
}
