import {
  datasetDeleted,
  type CollectionCatchUp,
  type CollectionObjective,
  type Dataset,
  type DatasetChange,
  type DatasetsQuery,
  type Doer,
  type NewDataset,
} from '@clew/contracts';
import { newId, notFound, page, sha256Hex, type Clock, type CursorCodec } from '@clew/kernel';
import type { AuditTrail, Database, Outbox, Transaction } from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';
import type { NamedModels } from '../models/index.ts';
import { contentIdOf, emptyContent, type VersionStore } from '../versions/index.ts';
import type { DatasetRemover } from './dataset-remover.ts';
import type { DatasetViews } from './dataset-views.ts';
import {
  beginsToCollect,
  changedSettings,
  datasetFields,
  newSettings,
  type DatasetFields,
  type StoredDataset,
} from './dataset.ts';
import { createDatasetLists } from './dataset-lists.ts';
import { DATASETS, type DatasetStore } from './datasets.store.ts';
import type { GroupCommit } from './group-commit.ts';

export interface DatasetsDependencies {
  database: Database;
  datasets: DatasetStore;
  versions: VersionStore;
  groupCommit: GroupCommit;
  remover: DatasetRemover;
  outbox: Outbox;
  audit: AuditTrail;
  cursors: CursorCodec;
  clock: Clock;
  views: DatasetViews;
  namedModels: NamedModels;
  /** Has a Dataset that begins to collect look at what there was before. */
  beginCatchUp(tx: Transaction, catchingUp: CatchingUp): Promise<void>;
}

export interface CatchingUp extends DatasetKey {
  objective: CollectionObjective;
  catchUp: CollectionCatchUp;
}

export interface DatasetConditions {
  requestId: string;
  /** Checks the Dataset before the change; it may throw. */
  check: (current: DatasetFields) => void;
}

/** Work for the transaction of a change; it gets the result that will be answered. */
export type InTransaction<Result> = (tx: Transaction, result: Result) => Promise<void>;

export type DatasetsService = ReturnType<typeof createDatasetsService>;

export function createDatasetsService(deps: DatasetsDependencies) {
  const { database, datasets, versions, groupCommit, cursors, clock, views, namedModels } = deps;

  async function catchUp(tx: Transaction, before: StoredDataset | undefined, after: StoredDataset): Promise<void> {
    const { id: datasetId, projectId, policy, collectionCatchUp } = after;
    if (policy === null || collectionCatchUp === null || !beginsToCollect(before, after)) return;
    await deps.beginCatchUp(tx, { projectId, datasetId, objective: policy.objective, catchUp: collectionCatchUp });
  }

  const listed = createDatasetLists({ datasets, views });

  return {
    asOfNow: views.asOfNow,

    async create(
      projectId: string,
      input: NewDataset,
      requestId: string,
      inTransaction: InTransaction<Dataset>,
    ): Promise<Dataset> {
      const content = emptyContent();
      const nowMs = clock.now();
      const counted = { exampleCount: 0, version: 0, contentId: contentIdOf(content, 0) };
      const settings = newSettings(input);
      const dataset = { id: newId('dst'), projectId, ...settings, ...counted, createdAt: nowMs, updatedAt: nowMs };
      const result = await views.of(dataset);
      await database.withTransaction(async (tx) => {
        await datasets.insert(tx, { dataset, content });
        await versions.insert(tx, { projectId, datasetId: dataset.id }, [{ ...counted, createdAt: nowMs }]);
        await namedModels.tell(tx, { before: undefined, after: dataset, requestId });
        // A new Dataset begins with what comes, unless its maker asked for more.
        if (input.collectionCatchUp != null) await catchUp(tx, undefined, dataset);
        await inTransaction(tx, result);
      });
      return result;
    },

    async get(projectId: string, datasetId: string): Promise<Dataset> {
      const dataset = await datasets.get(projectId, datasetId);
      if (dataset === undefined) throw notFound();
      return views.of(dataset);
    },

    async list(projectId: string, { q, collectionStatus, ...query }: DatasetsQuery) {
      const request = { projectId, filters: { q, collectionStatus }, ...query };
      const { items, nextCursor } = await page(cursors, DATASETS, request, (slice) =>
        listed(projectId, { q, collectionStatus }, slice),
      );
      return { datasets: items, nextCursor };
    },

    async update(key: DatasetKey, change: DatasetChange, { requestId, check }: DatasetConditions): Promise<Dataset> {
      const changed = await groupCommit.change(key, { requestId }, async (work) => {
        const before = work.dataset;
        check(datasetFields(before));
        const settings = changedSettings(before, change);
        if (Object.entries(settings).some(([name, value]) => !same(before[name as keyof StoredDataset], value))) {
          work.changeSettings(settings);
        }
        await namedModels.tell(work.tx, { before, after: work.dataset, requestId });
        await catchUp(work.tx, before, work.dataset);
        return work.dataset;
      });
      return views.of(changed);
    },

    /** Hides the Dataset and removes its documents; false while removal continues in the background. */
    async remove(key: DatasetKey, { doer, requestId, check }: DatasetConditions & { doer: Doer }): Promise<boolean> {
      await database.withTransaction(async (tx) => {
        const opened = await datasets.open(tx, key);
        // It is hidden already or never existed; the remover can tell which.
        if (opened === undefined) return;
        check(datasetFields(opened.dataset));
        await datasets.hide(tx, key, clock.now());
        await recordDeletion(deps.audit, tx, doer, opened.dataset);
        await namedModels.tell(tx, { before: opened.dataset, after: undefined, requestId });
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

async function recordDeletion(
  audit: AuditTrail,
  tx: Transaction,
  doer: Doer,
  { id, projectId, name, exampleCount }: StoredDataset,
): Promise<void> {
  const deed = { projectId, action: 'dataset.deleted', target: { kind: 'dataset', id } } as const;
  await audit.record(tx, doer, deed, { before: { name, exampleCount }, after: null });
}

/**
 * Entity tag of a Dataset, without the fields that depend on models. With them, a provider that is away for a moment
 * would make a change fail although nobody else has changed the Dataset.
 */
export function datasetEtag(dataset: DatasetFields): string {
  const { collectionStatus: _status, blockedReason: _reason, ...fields } = dataset as Dataset;
  return `"${sha256Hex(JSON.stringify(fields)).slice(0, 32)}"`;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
