import type { ServiceClient } from '@clew/http';
import { consume, QUEUES, type Broker } from '@clew/messaging';
import type { Database, Outbox } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { Clock } from '@clew/kernel';
import { createReportIngest } from './ingest-counts.service.ts';
import { createIngestDayStore } from './ingest-days.store.ts';
import { startStorageLoop } from './measure-storage.ts';
import { createQuotaCopies } from './quota-copies.store.ts';
import { quotaRoutes } from './quotas.routes.ts';
import { createStorageStore } from './storage.store.ts';

export interface QuotasOptions {
  database: Database;
  outbox: Outbox;
  clock: Clock;
  /** Measures what its Datasets take. */
  datasets: Pick<ServiceClient, 'call'>;
}

/** Quotas of what projects send and store, and their counts. */
export function createQuotas({ database, outbox, clock, datasets }: QuotasOptions) {
  const quotas = createQuotaCopies(database, outbox);
  const days = createIngestDayStore(database);
  const storage = createStorageStore(database);
  const report = createReportIngest({ days, quotas, storage, clock });
  return {
    routes: quotaRoutes({ report, days, quotas, storage }),
    ensureMeasured: storage.ensure,
    start: (running: { broker: Broker; logger: Logger; intervalMs: number }): BackgroundTask[] => [
      consume({
        ...running,
        queue: QUEUES.telemetryQuotas,
        async handle(message) {
          await quotas.take(message);
          await storage.ensure([message.projectId], clock.now());
          await storage.rows.makeDue({ _id: message.projectId }, clock.now());
        },
      }),
      startStorageLoop({ ...running, ...{ database, storage, quotas, days, datasets, outbox, clock } }),
    ],
  };
}
