import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '@clew/kernel';
import { createLease, nativeDb, type Database } from '@clew/persistence';
import type { Logger, Part } from '@clew/runtime';
import type { DatasetKey } from '../examples/index.ts';
import { datasetCollection } from './dataset.model.ts';

/** Removes what belongs to Datasets that were deleted, in pages: one that is killed is gone on with by another. */
export interface DatasetRemover extends Part {
  /**
   * Removes what it can within a short time. True when everything is gone, false while removal goes on in the background;
   * throws NOT_FOUND for a Dataset that never was.
   */
  remove(key: DatasetKey): Promise<boolean>;
  /** Goes on with what is left, of any process. */
  start(): void;
  stop(): Promise<void>;
}

export interface DatasetRemoverOptions {
  database: Database;
  logger: Logger;
  /** The collections whose documents belong to a Dataset, by `projectId` and `datasetId`. */
  collections: readonly string[];
  pageSize?: number;
  pollMs?: number;
  /** How long a dead process keeps the others from a Dataset; far longer than a page takes. */
  leaseMs?: number;
}

const INLINE_MS = 1_000;

export function createDatasetRemover(options: DatasetRemoverOptions): DatasetRemover {
  const { database, logger, pageSize = 1_000, pollMs = 1_000, leaseMs = 30_000 } = options;
  const datasets = datasetCollection(database);
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;

  async function removePage(collection: string, { projectId, datasetId }: DatasetKey): Promise<boolean> {
    const documents = nativeDb(database.connection).collection(collection);
    const found = await documents
      .find({ projectId, datasetId }, { projection: { _id: 1 } })
      .limit(pageSize)
      .toArray();
    if (found.length === 0) return false;
    await documents.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, projectId, datasetId });
    return true;
  }

  /** Whether all is gone: ends early when it is out of time, or when another process is at it. */
  async function removeUntil(key: DatasetKey, isOver: () => boolean): Promise<boolean> {
    const lease = createLease(database, `dataset-removal:${key.datasetId}`, leaseMs);
    if (!(await lease.acquire())) return false;
    try {
      for (const collection of options.collections) {
        while (await removePage(collection, key)) {
          if (isOver() || !(await lease.acquire())) return false;
        }
      }
      await datasets.updateOne(
        { _id: key.datasetId, projectId: key.projectId, state: 'deleting' },
        {
          $set: { state: 'deleted', name: '-', description: null, policy: null },
          $unset: { deletingSince: '' },
          $currentDate: { goneAt: true },
        },
      );
      return true;
    } finally {
      await lease.release();
    }
  }

  async function removeLeft(): Promise<void> {
    const left = datasets
      .find({ deletingSince: { $exists: true } }, { projection: { projectId: 1 } })
      .sort({ deletingSince: 1 })
      .limit(100);
    for (const { _id, projectId } of await left.toArray()) {
      if (stopping.signal.aborted) return;
      await removeUntil({ projectId, datasetId: _id }, () => stopping.signal.aborted);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await removeLeft().catch((error: unknown) => logger.error({ err: error }, 'could not remove deleted Datasets'));
      await pause(pollMs, stopping.signal);
    }
  }

  return {
    name: 'dataset removal',
    async remove(key) {
      const { projectId, datasetId } = key;
      const filter = { _id: datasetId, projectId, state: { $in: ['deleting' as const, 'deleted' as const] } };
      const dataset = await datasets.findOne(filter, { projection: { state: 1 } });
      if (dataset === null) throw notFound();
      if (dataset.state === 'deleted') return true;
      const deadlineMs = performance.now() + INLINE_MS;
      return removeUntil(key, () => performance.now() > deadlineMs);
    },
    start() {
      loop ??= run();
    },
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

function pause(durationMs: number, stopping: AbortSignal): Promise<void> {
  return sleep(durationMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
}
