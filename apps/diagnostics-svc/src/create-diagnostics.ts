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
import { scheduleReadyConversations } from './runs/ready-conversations.ts';
import { runRoutes } from './runs/runs.routes.ts';
import { createRunsService } from './runs/runs.service.ts';
import { createRunStore } from './runs/runs.store.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { createSettingsStore } from './settings/settings.store.ts';

export interface DiagnosticsDependencies {
  config: Pick<DiagnosticsConfig, 'AUTH_SECRET' | 'MOUNT_RULES' | 'MAX_BEAT_AGE_MS'>;
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
  startConsumers(): readonly Consumer[];
}

const MAX_CHECK_INTERVAL_MS = 15_000;
const INBOX_NAME = 'diagnostics-svc.analysis-results';

export function createDiagnostics(deps: DiagnosticsDependencies): Diagnostics {
  const { config, database, broker, clock, logger, metrics } = deps;
  const settings = createSettingsStore(database);
  const runStore = createRunStore(database);
  const outbox = createOutbox(database);
  const runs = config.MOUNT_RULES
    ? createRunsService({ ...deps, runs: runStore, outbox, rules: BUILT_IN_RULES })
    : undefined;
  const takeResults = createResultsService({
    ...{ database, outbox, clock },
    inbox: createInbox(database, INBOX_NAME),
    runs: runStore,
    results: createResultStore(database),
  });
  const cursors = createCursorCodec(deriveSecret(config.AUTH_SECRET, 'cursor/v1'));
  const findings = createFindingsService({ findings: createFindingStore(database), cursors });
  // A consumer that is idle shows itself several times within the age at which it is taken for stuck.
  const checkIntervalMs = Math.min(MAX_CHECK_INTERVAL_MS, config.MAX_BEAT_AGE_MS / 4);
  let consumers: readonly Consumer[] = [];
  const isAlive = () => consumers.every((consumer) => consumer.beatAgeMs() < config.MAX_BEAT_AGE_MS);
  return {
    listener: createApi({
      authenticate: deps.authenticate,
      logger,
      metrics,
      operations: [operationsRouter({ ...deps, isAlive })],
      routes: [...findingRoutes(findings), ...settingsRoutes(settings, clock), ...runRoutes(runs)],
    }),
    startConsumers() {
      const handleReady = scheduleReadyConversations(settings, runs);
      consumers = [
        consume({ broker, queue: QUEUES.conversationReady, logger, checkIntervalMs, handle: handleReady }),
        consumeBatches({ broker, queue: QUEUES.analysisResults, logger, checkIntervalMs, handle: takeResults }),
      ];
      return consumers;
    },
  };
}
