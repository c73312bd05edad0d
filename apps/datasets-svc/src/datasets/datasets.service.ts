import { datasetDeleted, type Dataset, type DatasetChange, type NewDataset } from '@clew/contracts';
import { newId, notFound, sha256Hex, type Clock, type CursorCodec } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { DatasetKey } from '../examples/example.ts';
import { nextCursorOf, positionOf } from '../list-page.ts';
import { contentIdOf, emptyContent } from '../versions/content-state.ts';
import type { VersionStore } from '../versions/versions.store.ts';
import { changedSettings, datasetView, newSettings, type ModelAvailability, type StoredDataset } from './dataset.ts';
import type { DatasetRemover } from './dataset-remover.ts';
import type { DatasetWriter } from './dataset-writer.ts';
import type { DatasetStore } from './datasets.store.ts';

export interface DatasetsDependencies {
  database: Database;
  datasets: DatasetStore;
  versions: VersionStore;
  writer: DatasetWriter;
  remover: DatasetRemover;
  outbox: Outbox;
  cursors: CursorCodec;
  clock: Clock;
  availabilityOf: (model: string) => ModelAvailability;
}

/** What is to be done in the transaction of a change, with what will be answered. */
export type InTransaction<Result> = (tx: Transaction, result: Result) => Promise<void>;

export type DatasetsService = ReturnType<typeof createDatasetsService>;

export function createDatasetsService(deps: DatasetsDependencies) {
  const { database, datasets, versions, writer, cursors, clock, availabilityOf } = deps;
  const view = (dataset: StoredDataset) => datasetView(dataset, availabilityOf);
  return {
    async create(projectId: string, input: NewDataset, inTransaction: InTransaction<Dataset>): Promise<Dataset> {
      const content = emptyContent();
      const nowMs = clock.now();
      const counted = { exampleCount: 0, version: 0, contentId: contentIdOf(content, 0) };
      const settings = newSettings(input);
      const dataset = { id: newId('dst'), projectId, ...settings, ...counted, createdAt: nowMs, updatedAt: nowMs };
      const result = view(dataset);
      await database.withTransaction(async (tx) => {
        await datasets.insert(tx, { dataset, content });
        await versions.insert(tx, { projectId, datasetId: dataset.id }, [{ ...counted, createdAt: nowMs }]);
        await inTransaction(tx, result);
      });
      return result;
    },

    async get(projectId: string, datasetId: string): Promise<Dataset> {
      const dataset = await datasets.get(projectId, datasetId);
      if (dataset === undefined) throw notFound();
      return view(dataset);
    },

    async list(projectId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const scope = { list: 'datasets', projectId, filters: {} };
      const after = positionOf(cursors, scope, cursor);
      // One more than asked for, to know whether there is a next page.
      const found = await datasets.list(projectId, { limit: limit + 1, after });
      const page = { items: found.slice(0, limit), more: found.length > limit };
      const nextCursor = nextCursorOf(cursors, scope, page, ({ createdAt, id }) => [createdAt, id]);
      return { datasets: page.items.map(view), nextCursor };
    },

    /** `check` may throw, for the state that is about to be changed. */
    async update(
      key: DatasetKey,
      change: DatasetChange,
      { requestId, check }: { requestId: string; check: (current: Dataset) => void },
    ): Promise<Dataset> {
      const changed = await writer.change(key, { requestId }, (work) => {
        check(view(work.dataset));
        const settings = changedSettings(work.dataset, change);
        if (Object.entries(settings).some(([name, value]) => !same(work.dataset[name as keyof StoredDataset], value))) {
          work.changeSettings(settings);
        }
        return work.dataset;
      });
      return view(changed);
    },

    /** Hides the Dataset and removes what belongs to it; false while that is still under way. */
    async remove(
      key: DatasetKey,
      { requestId, check }: { requestId: string; check: (current: Dataset) => void },
    ): Promise<boolean> {
      await database.withTransaction(async (tx) => {
        const opened = await datasets.open(tx, key);
        // Hidden before, or never there: the remover knows.
        if (opened === undefined) return;
        check(view(opened.dataset));
        await datasets.hide(tx, key);
        await deps.outbox.append(tx, datasetDeleted, {
          key: key.datasetId,
          projectId: key.projectId,
          requestId,
          occurredAt: clock.now(),
          data: { datasetId: key.datasetId },
        });
      });
      return deps.remover.remove(key);
    },
  };
}

/** A strong entity tag of a Dataset. */
export function datasetEtag(dataset: Dataset): string {
  return `"${sha256Hex(JSON.stringify(dataset)).slice(0, 32)}"`;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
