import type { RequestListener } from 'node:http';
import { createApi, operationsRouter, type Authenticate, type ServiceClient } from '@clew/http';
import { createCursorCodec, deriveSecret, type Clock } from '@clew/kernel';
import { consume, consumeBatches, QUEUES, type Broker, type Consumer } from '@clew/messaging';
import { createInbox, createOutbox, type Database } from '@clew/persistence';
import { BUILT_IN_RULES } from '@clew/rules';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo } from '@clew/runtime';
import type { DiagnosticsConfig } from './config.ts';
import { findingRoutes } from './findings/findings.routes.ts';
import { createFindingsService } from './findings/findings.service.ts';
import { createFindingStore } from './findings/findings.store.ts';
import { createResultsService } from './results/results.service.ts';
import { createResultStore } from './results/results.store.ts';
import { runRoutes } from './runs/runs.routes.ts';
import { createRunsService } from './runs/runs.service.ts';
import { createRunStore } from './runs/runs.store.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { createSettingsStore } from './settings/settings.store.ts';

export interface DiagnosticsDependencies {
  config: Pick<DiagnosticsConfig, 'AUTH_SECRET' | 'MOUNT_RULES'>;
  database: Database;
  broker: Broker;
  authenticate: Authenticate;
  warehouse: ServiceClient;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  info: ServiceInfo;
  readiness: Readiness;
}

export interface Diagnostics {
  listener: RequestListener;
  /** Begins to take ready conversations and results. */
  startConsumers(): Consumer[];
}

const INBOX_NAME = 'diagnostics-svc.analysis-results';

export function createDiagnostics(deps: DiagnosticsDependencies): Diagnostics {
  const { config, database, broker, warehouse, clock, logger, metrics } = deps;
  const settings = createSettingsStore(database);
  const runStore = createRunStore(database);
  const outbox = createOutbox(database);
  const runs = createRunsService({ database, runs: runStore, outbox, warehouse, rules: BUILT_IN_RULES, clock });
  const takeResults = createResultsService({
    database,
    inbox: createInbox(database, INBOX_NAME),
    outbox,
    runs: runStore,
    results: createResultStore(database),
    clock,
  });
  const cursors = createCursorCodec(deriveSecret(config.AUTH_SECRET, 'cursor/v1'));
  const findings = createFindingsService({ findings: createFindingStore(database), cursors });
  return {
    listener: createApi({
      authenticate: deps.authenticate,
      logger,
      metrics,
      operations: [operationsRouter(deps)],
      routes: [
        ...findingRoutes(findings),
        ...settingsRoutes(settings, clock),
        ...runRoutes(config.MOUNT_RULES ? runs : undefined),
      ],
    }),
    startConsumers: () => [
      ...(config.MOUNT_RULES ? [consumeReadyConversations()] : []),
      consumeBatches({ broker, queue: QUEUES.analysisResults, logger, handle: takeResults }),
    ],
  };

  function consumeReadyConversations(): Consumer {
    return consume({
      broker,
      queue: QUEUES.conversationReady,
      logger,
      async handle({ projectId, requestId, data }) {
        const { automaticSchedulingEnabled } = await settings.get(projectId);
        if (!automaticSchedulingEnabled) return;
        const { conversationId, snapshotId } = data;
        await runs.schedule({ projectId, conversationId, snapshotId }, requestId);
      },
    });
  }
}
