import { createApi, type ServiceClient } from '@clew/http';
import type { App, DatabaseHost } from '@clew/host';
import { consume, consumeBatches, QUEUES } from '@clew/messaging';
import { createInbox, createOutbox } from '@clew/persistence';
import { BUILT_IN_RULES } from '@clew/rules';
import type { DiagnosticsConfig } from './config.ts';
import { findingRoutes } from './findings/findings.routes.ts';
import { createFindingsService } from './findings/findings.service.ts';
import { createFindingStore } from './findings/findings.store.ts';
import { createResultsService } from './results/results.service.ts';
import { createResultStore } from './results/results.store.ts';
import { endGivenUpRuns } from './runs/given-up-runs.ts';
import { scheduleReadyConversations } from './runs/ready-conversations.ts';
import { runRoutes } from './runs/runs.routes.ts';
import { createRunsService } from './runs/runs.service.ts';
import { createRunStore } from './runs/runs.store.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { createSettingsStore } from './settings/settings.store.ts';

export interface DiagnosticsDependencies extends Pick<
  DatabaseHost<DiagnosticsConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'api' | 'cursors'
> {
  warehouse: ServiceClient;
}

const INBOX_NAME = 'diagnostics-svc.analysis-results';

export function createDiagnostics(deps: DiagnosticsDependencies): App {
  const { config, database, broker, clock, logger, cursors } = deps;
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
  const findings = createFindingsService({ findings: createFindingStore(database), cursors });
  return {
    listener: createApi({
      ...deps.api,
      routes: [...findingRoutes(findings), ...settingsRoutes(settings, clock), ...runRoutes(runs)],
    }),
    start: () => [
      consume({ broker, logger, queue: QUEUES.conversationReady, handle: scheduleReadyConversations(settings, runs) }),
      consumeBatches({ broker, logger, queue: QUEUES.analysisResults, handle: takeResults }),
      consume({ broker, logger, queue: QUEUES.analysisGivenUp, handle: endGivenUpRuns(database, runStore, clock) }),
    ],
  };
}
