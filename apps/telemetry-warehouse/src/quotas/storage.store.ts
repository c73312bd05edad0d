import {
  createScheduledTasks,
  insertNew,
  nativeDb,
  type Claimed,
  type Database,
  type ScheduledTasks,
  type ScheduleFields,
} from '@clew/persistence';
import type { Connection, mongo } from 'mongoose';

/** Size of a project's data, as last measured: a scheduled task that is due at its next measurement. */
export interface StoredBytesDocument extends ScheduleFields, StoredBytes {
  /** Id of the project. */
  _id: string;
  projectId: string;
}

export interface StoredBytes {
  telemetryBytes: number;
  datasetBytes: number;
  /** Null: not measured yet. */
  measuredAt: number | null;
}

export type ClaimedMeasurement = Claimed<StoredBytesDocument>;

export interface StorageStore {
  rows: ScheduledTasks<StoredBytesDocument>;
  /** Makes sure that projects are measured; those that this process has already ensured cost nothing. */
  ensure(projectIds: readonly string[], nowMs: number): Promise<void>;
  get(projectId: string): Promise<StoredBytes>;
}

/** Lease longer than a measurement takes. */
const LEASE_MS = 15 * 60_000;
const MAX_KNOWN_PROJECTS = 10_000;
const NOT_MEASURED: StoredBytes = { telemetryBytes: 0, datasetBytes: 0, measuredAt: null };

export function createStorageStore({ connection }: Pick<Database, 'connection'>): StorageStore {
  const collection = storedBytesCollection(connection);
  const seen = new Set<string>();
  return {
    rows: createScheduledTasks(collection, { leaseMs: LEASE_MS }),
    async ensure(projectIds, nowMs) {
      const unseen = [...new Set(projectIds)].filter((projectId) => !seen.has(projectId));
      if (unseen.length === 0) return;
      await insertNew(
        collection,
        unseen.map((projectId) => ({ _id: projectId, projectId, dueAt: nowMs, ...NOT_MEASURED })),
      );
      if (seen.size > MAX_KNOWN_PROJECTS) seen.clear();
      for (const projectId of unseen) seen.add(projectId);
    },
    async get(projectId) {
      const found = await collection.findOne({ _id: projectId });
      if (found === null) return NOT_MEASURED;
      const { telemetryBytes, datasetBytes, measuredAt } = found;
      return { telemetryBytes, datasetBytes, measuredAt };
    },
  };
}

export function storedBytesCollection(connection: Connection): mongo.Collection<StoredBytesDocument> {
  return nativeDb(connection).collection<StoredBytesDocument>('stored_bytes');
}
