import type { DatabaseHost } from '@clew/host';
import type { Route } from '@clew/http';
import { consumeBatches, QUEUES } from '@clew/messaging';
import type { BackgroundTask } from '@clew/runtime';
import type { GatewayConfig } from '../config.ts';
import { createAuditLog } from './audit.ts';
import { auditRoutes } from './audit.routes.ts';
import { createAuditStore } from './audit.store.ts';
import { startAuditRetention } from './audit-retention.ts';
import { createTakeDeeds } from './take-deeds.ts';

export interface AuditDependencies extends Pick<
  DatabaseHost<GatewayConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'cursors'
> {
  /** Lookups of the workspace of a project, in their order. */
  workspaceOf: readonly ((projectId: string) => string | undefined | Promise<string | undefined>)[];
}

export interface Audit {
  routes: Route[];
  start(): BackgroundTask[];
}

/** Reading, retention, and the deeds of other services; writing is part of each of the gateway's own deeds. */
export function createAudit({
  config,
  database,
  broker,
  clock,
  logger,
  cursors,
  workspaceOf,
}: AuditDependencies): Audit {
  const audit = createAuditStore(database);
  const takeDeeds = createTakeDeeds({
    ...{ database, audit: createAuditLog(database) },
    async workspaceOf(projectId) {
      for (const look of workspaceOf) {
        const found = await look(projectId);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  });
  return {
    routes: auditRoutes(audit, cursors),
    start: () => [
      consumeBatches({ broker, logger, queue: QUEUES.recordedDeeds, handle: takeDeeds }),
      startAuditRetention({ audit, days: config.AUDIT_DAYS, clock, logger }),
    ],
  };
}
