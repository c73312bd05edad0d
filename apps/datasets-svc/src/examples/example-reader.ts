import { notFound } from '@clew/kernel';
import type { DatasetStore } from '../datasets/datasets.store.ts';
import { takePage, type Page } from '../list-page.ts';
import type { ExampleHistory } from '../versions/example-history.store.ts';
import type { VersionStore } from '../versions/versions.store.ts';
import type { DatasetKey, ExampleReader, ReadableVersion, StoredExample } from './example.ts';
import type { ExampleStore, WalkPage } from './examples.store.ts';

export interface ExamplePages extends ExampleReader {
  /** One page of the current Examples, or of those of a version. */
  page(key: DatasetKey, version: ReadableVersion | undefined, page: WalkPage): Promise<Page<StoredExample>>;
}

export interface ExampleReaderDependencies {
  datasets: DatasetStore;
  versions: VersionStore;
  examples: ExampleStore;
  history: ExampleHistory;
}

/** Bounds the memory of one request: Examples may be megabytes each. */
export const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;
const PAGE_SIZE = 1_000;

export function createExampleReader(deps: ExampleReaderDependencies): ExamplePages {
  const { datasets, versions, examples, history } = deps;

  const page: ExamplePages['page'] = (key, version, { limit, after }) => {
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
