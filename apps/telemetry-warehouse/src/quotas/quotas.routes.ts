import { getStorageState, reportIngest, sumIngestUsage } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { ReportIngest } from './ingest-counts.service.ts';
import type { IngestDayStore } from './ingest-days.store.ts';
import type { QuotaCopies } from './quota-copies.store.ts';
import type { StorageStore } from './storage.store.ts';

export interface QuotaRoutesDependencies {
  report: ReportIngest;
  days: Pick<IngestDayStore, 'sum'>;
  quotas: Pick<QuotaCopies, 'get'>;
  storage: Pick<StorageStore, 'get'>;
}

export function quotaRoutes({ report, days, quotas, storage }: QuotaRoutesDependencies): Route[] {
  return [
    route(reportIngest, async ({ body: { replica, counts } }) =>
      answer(200, { allowances: await report(replica, counts) }),
    ),
    route(sumIngestUsage, async ({ body }) => answer(200, { usage: await days.sum(body) })),
    route(getStorageState, async ({ params: { projectId } }) => {
      const [{ storedBytes: limit }, stored] = await Promise.all([quotas.get(projectId), storage.get(projectId)]);
      return answer(200, { ...stored, limit });
    }),
  ];
}
