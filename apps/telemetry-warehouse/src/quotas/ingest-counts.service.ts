import type { IngestAllowance, IngestCount } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { afterReport } from './ingest-day.ts';
import type { IngestDayStore } from './ingest-days.store.ts';
import type { QuotaCopies } from './quota-copies.store.ts';
import type { StorageStore } from './storage.store.ts';

export interface IngestCountsDependencies {
  days: Pick<IngestDayStore, 'update'>;
  quotas: Pick<QuotaCopies, 'get'>;
  storage: Pick<StorageStore, 'get'>;
  clock: Clock;
}

/** Takes what a process has accepted of some projects; returns what it may accept of each. */
export type ReportIngest = (replica: string, counts: readonly IngestCount[]) => Promise<IngestAllowance[]>;

export function createReportIngest({ days, quotas, storage, clock }: IngestCountsDependencies): ReportIngest {
  async function one(replica: string, count: IngestCount): Promise<IngestAllowance> {
    const { projectId, day } = count;
    const [held, stored] = await Promise.all([quotas.get(projectId), storage.get(projectId)]);
    const limit = { bytes: held.ingestedBytesPerDay, records: held.ingestedRecordsPerDay };
    const { used, mayReach } = await days.update(projectId, day, (before) => {
      const after = afterReport(before, replica, count, { limit, nowMs: clock.now() });
      const { bytes, records } = after.day;
      return { day: after.day, result: { used: { bytes, records }, mayReach: after.mayReach } };
    });
    const storedBytes = stored.telemetryBytes + stored.datasetBytes;
    const isFull = held.storedBytes !== null && stored.measuredAt !== null && storedBytes >= held.storedBytes;
    return {
      ...{ projectId, day, limit, used, mayReach },
      storage: isFull ? { limit: held.storedBytes ?? 0, used: storedBytes } : null,
    };
  }

  return (replica, counts) => Promise.all(counts.map((count) => one(replica, count)));
}
