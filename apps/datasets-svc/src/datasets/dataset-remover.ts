import { describeError, notFound, type Clock } from '@clew/kernel';
import {
  createScheduledTasks,
  nativeDb,
  startTaskLoop,
  type Claimed,
  type Database,
  type TaskLoop,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { DatasetKey } from '../examples/index.ts';
import { datasetCollection, type DatasetDocument } from './dataset.model.ts';

/**
 * Removes the documents of deleted Datasets, in pages. A hidden Dataset is a scheduled task until it is gone, so
 * another process continues where a killed one stopped.
 */
export interface DatasetRemover {
  /**
   * Removes what it can within a short time. True once everything is gone, false while removal continues in the
   * background. Throws NOT_FOUND for a Dataset that never existed.
   */
  remove(key: DatasetKey): Promise<boolean>;
  /** Starts the background removal, also of what other processes left. */
  start(): TaskLoop;
}

export interface DatasetRemoverOptions {
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Collections whose documents belong to a Dataset, by `projectId` and `datasetId`. */
  collections: readonly string[];
  pageSize?: number;
  pollMs?: number;
  /** Time in milliseconds for which a dead process blocks a Dataset; far longer than a page takes. */
  leaseMs?: number;
}

type ClaimedDataset = Claimed<DatasetDocument>;

const INLINE_MS = 1_000;
/** Time in milliseconds after which another Dataset gets its turn. */
const TURN_MS = 5_000;

export function createDatasetRemover(options: DatasetRemoverOptions): DatasetRemover {
  const { database, clock, logger, pageSize = 1_000, pollMs = 1_000, leaseMs = 30_000 } = options;
  const datasets = datasetCollection(database);
  const hidden = createScheduledTasks(datasets, { leaseMs, projection: { contentState: 0 }, isInTurn: true });
  let loop: TaskLoop | undefined;

  async function removePage(collection: string, { projectId, datasetId }: DatasetKey): Promise<boolean> {
    const documents = nativeDb(database.connection).collection(collection);
    const found = await documents
      .find({ projectId, datasetId }, { projection: { _id: 1 } })
      .limit(pageSize)
      .toArray();
    if (found.length === 0) return false;
    const named = { _id: { $in: found.map(({ _id }) => _id) }, projectId, datasetId };
    await documents.deleteMany(named, { hint: { _id: 1 } });
    return true;
  }

  /** Removes pages until all is gone (true) or `isOver` says so (false); then it gives the claim back. */
  async function removeUntil(claimed: ClaimedDataset, isOver: () => boolean): Promise<boolean> {
    const { _id, projectId } = claimed;
    for (const collection of options.collections) {
      while (await removePage(collection, { projectId, datasetId: _id })) {
        if (!isOver()) continue;
        await hidden.giveBack([claimed]);
        return false;
      }
    }
    await database.withTransaction(async (tx) => {
      const nothing = { state: 'deleted' as const, name: '-', description: null, policy: null };
      const gone = { $set: nothing, $currentDate: { goneAt: true } as const };
      await datasets.updateOne({ _id, projectId, state: 'deleting' }, gone, { session: tx });
      await hidden.settle(tx, [claimed]);
    });
    return true;
  }

  async function removeInline(claimed: ClaimedDataset): Promise<boolean> {
    const deadlineMs = performance.now() + INLINE_MS;
    try {
      const isGone = await removeUntil(claimed, () => performance.now() > deadlineMs);
      if (!isGone) loop?.wake();
      return isGone;
    } catch (error) {
      await hidden.putOff(claimed, clock.now(), describeError(error));
      throw error;
    }
  }

  return {
    async remove({ projectId, datasetId }) {
      const filter = { _id: datasetId, projectId, state: { $in: ['deleting' as const, 'deleted' as const] } };
      const dataset = await datasets.findOne(filter, { projection: { state: 1 } });
      if (dataset === null) throw notFound();
      if (dataset.state === 'deleted') return true;
      const claimed = await hidden.claimOne(datasetId, clock.now());
      return claimed !== undefined && (await removeInline(claimed));
    },
    start() {
      loop = startTaskLoop({
        ...{ name: 'dataset removal', rows: hidden, clock, logger, pollMs },
        limit: 1,
        async handle(claimed, { stopping, signal, heartbeat }) {
          const deadlineMs = performance.now() + TURN_MS;
          for (const dataset of claimed) {
            await removeUntil(dataset, () => {
              heartbeat();
              return stopping.aborted || signal.aborted || performance.now() > deadlineMs;
            });
          }
        },
      });
      return loop;
    },
  };
}
