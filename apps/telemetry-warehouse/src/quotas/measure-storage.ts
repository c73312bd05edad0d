import { allowanceChanged, measureDatasets } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { newId, type Clock } from '@clew/kernel';
import {
  bytesOfProject,
  handleDueTasks,
  startTaskLoop,
  type Database,
  type HandleTasksOptions,
  type Outbox,
  type TaskLoop,
} from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { IngestDayStore } from './ingest-days.store.ts';
import type { QuotaCopies } from './quota-copies.store.ts';
import {
  storedBytesCollection,
  type ClaimedMeasurement,
  type StorageStore,
  type StoredBytes,
  type StoredBytesDocument,
} from './storage.store.ts';

export interface MeasureStorageOptions {
  database: Database;
  storage: StorageStore;
  quotas: Pick<QuotaCopies, 'get'>;
  days: Pick<IngestDayStore, 'noteStored'>;
  datasets: Pick<ServiceClient, 'call'>;
  outbox: Outbox;
  clock: Clock;
  logger: Logger;
  /** Interval between two measurements of a project that has a quota of what it stores. */
  intervalMs: number;
}

/** Collections whose documents count, each with an index that begins with the project. */
export const MEASURED_COLLECTIONS = [
  'trace_fragments',
  'fragment_contents',
  'conversations',
  'snapshots',
  'snapshot_chunks',
  'scores',
] as const;
const MAX_MEASURE_MS = 120_000;
/** Least interval of projects without a quota, for which the figure is only shown. */
const SHOWN_INTERVAL_MS = 6 * 3_600_000;
/** Multiple of its duration after which a measurement is repeated at the earliest, so that it takes a percent of time. */
const REST = 100;
const POLL_MS = 1_000;

/** Measures what projects store when it is due. */
export function startStorageLoop(options: MeasureStorageOptions): TaskLoop {
  return startTaskLoop({ ...taskOf(options), pollMs: POLL_MS });
}

/** Runs one round of the loop, for tests; returns the number of measurements. */
export function measureDue(options: MeasureStorageOptions): Promise<number> {
  return handleDueTasks(taskOf(options));
}

function taskOf(options: MeasureStorageOptions): HandleTasksOptions<StoredBytesDocument> {
  const { storage, clock, logger } = options;
  return {
    ...{ name: 'storage', rows: storage.rows, clock, logger, limit: 1 },
    async handle(claimed, context) {
      for (const measurement of claimed) await measure(options, measurement, () => context.heartbeat());
    },
  };
}

async function measure(
  options: MeasureStorageOptions,
  claimed: ClaimedMeasurement,
  heartbeat: () => void,
): Promise<void> {
  const { database, quotas, days, datasets, clock, outbox, storage } = options;
  const { projectId } = claimed;
  const beganAtMs = performance.now();
  let telemetryBytes = 0;
  for (const name of MEASURED_COLLECTIONS) {
    telemetryBytes += await bytesOfProject(database, name, projectId, { maxTimeMS: MAX_MEASURE_MS });
    heartbeat();
  }
  const { bytes: datasetBytes } = await datasets.call(measureDatasets, { params: { projectId } });
  const { storedBytes: limit } = await quotas.get(projectId);
  const nowMs = clock.now();
  const measured: StoredBytes = { telemetryBytes, datasetBytes, measuredAt: nowMs };
  const leastMs = limit === null ? Math.max(options.intervalMs, SHOWN_INTERVAL_MS) : options.intervalMs;
  const dueAt = nowMs + Math.max(leastMs, REST * (performance.now() - beganAtMs));
  await database.withTransaction(async (tx) => {
    await storedBytesCollection(database.connection).updateOne(
      { _id: projectId, claim: claimed.claim },
      { $set: measured },
      { session: tx },
    );
    await storage.rows.settle(tx, [claimed], { dueAt: Math.ceil(dueAt) });
    if (isFull(claimed, limit) === isFull(measured, limit)) return;
    await outbox.append(tx, allowanceChanged, {
      ...{ key: newId('evt'), projectId, requestId: null, occurredAt: nowMs, data: {} },
    });
  });
  await days.noteStored(projectId, new Date(nowMs).toISOString().slice(0, 10), telemetryBytes + datasetBytes);
}

function isFull({ telemetryBytes, datasetBytes, measuredAt }: StoredBytes, limit: number | null): boolean {
  return limit !== null && measuredAt !== null && telemetryBytes + datasetBytes >= limit;
}
