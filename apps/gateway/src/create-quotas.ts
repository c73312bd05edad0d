import { addressVariable, type CalledService } from '@clew/contracts';
import type { DatabaseHost } from '@clew/host';
import { createServiceClient, type IdentitySigner, type Route } from '@clew/http';
import type { Outbox } from '@clew/persistence';
import type { AuditLog } from './audit/audit.ts';
import type { GatewayConfig } from './config.ts';
import type { ProjectStore } from './projects/projects.store.ts';
import { quotaRoutes } from './quotas/quotas.routes.ts';
import { createQuotasService } from './quotas/quotas.service.ts';
import { createQuotasStore } from './quotas/quotas.store.ts';
import { usageRoutes } from './usage/usage.routes.ts';
import { createUsageService } from './usage/usage.service.ts';

export interface QuotaParts extends Pick<DatabaseHost<GatewayConfig>, 'config' | 'database' | 'clock'> {
  projects: ProjectStore;
  audit: AuditLog;
  outbox: Outbox;
  sign: IdentitySigner;
}

/** Time limit of a service to add up what it has counted. */
const SUM_TIMEOUT_MS = 20_000;

/** Routes of the quotas of projects, and of what is counted against them. */
export function createQuotaRoutes(parts: QuotaParts): Route[] {
  const { config, database, projects, audit, outbox, clock, sign } = parts;
  const client = (service: CalledService) =>
    createServiceClient({
      ...{ baseUrl: config[addressVariable(service)], serviceName: 'gateway', sign },
      timeoutMs: SUM_TIMEOUT_MS,
    });
  const quotas = createQuotasService({
    ...{ database, projects, audit, outbox, clock, quotas: createQuotasStore(database) },
  });
  const usage = createUsageService({
    ...{ projects, modelRuntime: client('model-runtime-svc'), warehouse: client('telemetry-warehouse') },
  });
  return [...quotaRoutes(quotas), ...usageRoutes(usage)];
}
