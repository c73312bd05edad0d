import { deedRecorded } from '@clew/contracts';
import { createApi, type ServiceClient } from '@clew/http';
import type { App, DatabaseHost } from '@clew/host';
import { consume, consumeBatches, QUEUES, watchQueueRoom } from '@clew/messaging';
import {
  createAuditTrail,
  createIdempotencyStore,
  createInbox,
  createOutbox,
  createTombstones,
  type Outbox,
} from '@clew/persistence';
import { createAdjudication, type Adjudication, type ConfigurationsOf } from './adjudication/index.ts';
import {
  createAnalysisStore,
  type AnalysisStore,
  diagnosticFigureRoutes,
  endGivenUpAnalyses,
  givenUpCommandOf,
  takeReadyConversations,
} from './analyses/index.ts';
import type { DiagnosticsConfig } from './config.ts';
import type { OnIssueTouched } from './connectors/index.ts';
import { clusterRoutes, createClustersService, createMergeEqual, createFindingTasks } from './clusters/index.ts';
import { createDiagnosisRoutes } from './diagnoses/index.ts';
import { createEraseFindings, createErased, erasureRoutes } from './erasure/index.ts';
import { createAdmitResults, createExpectationStore, createNoticePrompts } from './expectations/index.ts';
import { createActivityStore } from './findings/activity/index.ts';
import { createChangesService } from './findings/changes/index.ts';
import { createClusterStore } from './findings/clusters/clusters.store.ts';
import { findingRoutes } from './findings/findings.routes.ts';
import { createFindingsService } from './findings/findings.service.ts';
import { createFindingStore } from './findings/findings.store.ts';
import { createSeriesStore } from './findings/series/index.ts';
import { createOccurrenceStore } from './findings/occurrences/occurrences.store.ts';
import { createFindingTaskStore } from './findings/tasks/index.ts';
import { mountRules, unmountedRoutes, type MountedRules, type RulesMountDependencies } from './mount-rules.ts';
import { mountWorkItems } from './mount-work-items.ts';
import { mountWebhooks } from './mount-webhooks.ts';
import { resultMessageOf, type ResultMessage } from './results/analysis-result.ts';
import { createResultsService } from './results/results.service.ts';
import { createResultStore, type ResultStore } from './results/results.store.ts';
import { createReviewer, createReviewRecordStore, reviewRoutes, type Reviewer } from './reviewer/index.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { createSettingsStore } from './settings/settings.store.ts';

export interface DiagnosticsDependencies extends Pick<
  DatabaseHost<DiagnosticsConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'api' | 'cursors'
> {
  warehouse: ServiceClient;
  modelRuntime: ServiceClient;
  /** Pace of backfills, which tests change. */
  backfills?: RulesMountDependencies['backfills'];
  discoverDeadlineMs?: number | undefined;
  /** Pace of the loop that asks judges, which tests change. */
  adjudicationPollMs?: number | undefined;
  /** Called for each issue that a webhook of its provider names. */
  onIssueTouched?: OnIssueTouched | undefined;
  /** Pace of the loop that looks for due webhooks, which tests change. */
  webhookPollMs?: number | undefined;
}

const INBOX_NAME = 'diagnostics-svc.analysis-results';

/**
 * Snapshots that wait for each worker besides those it has in hand, so that it does not run idle before it gets more.
 */
const SNAPSHOTS_OF_WORKER = 150;

/**
 * Longest wait in milliseconds for a batch to fill. Conversations were quiet for a minute already, and a large batch
 * costs little more than one message.
 */
const MAX_WAIT_MS = 100;

export function createDiagnostics(deps: DiagnosticsDependencies): App {
  const { config, database, broker, clock, logger, cursors } = deps;
  const settings = createSettingsStore(database);
  const analyses = createAnalysisStore(database);
  const outbox = createOutbox(database);
  const audit = createAuditTrail(outbox, deedRecorded, clock);
  const results = createResultStore(database);
  const tombstones = createTombstones(database);
  const withoutErased = createErased(tombstones);
  const notices = createNoticePrompts({ database, clock });
  // Called only once results arrive. By then `mounted` is set; it cannot be set earlier, because it needs
  // `takeResults`.
  const configurationsOf: ConfigurationsOf = async (projectId) =>
    new Map((await mounted?.enabledRules.of(projectId))?.map(({ ruleId, configuration }) => [ruleId, configuration]));
  const stores = {
    ...{ findings: createFindingStore(database), activities: createActivityStore(database) },
    ...{ occurrences: createOccurrenceStore(database), tasks: createFindingTaskStore(database) },
    ...{ exposures: results.exposures, series: createSeriesStore(database) },
  };
  const clusters = createClusterStore(database);
  const grouping = { ...stores, ...{ database, results, clusters, outbox, clock } };
  const asking = { ...deps, settings, configurationsOf, withoutErased, pollMs: deps.adjudicationPollMs };
  const adjudication = createAdjudication(asking);
  const reviewer = createReviewer({ ...asking, mergeEqual: createMergeEqual(grouping) });
  const takeResults = createTakeResults({
    ...{ ...deps, outbox, analyses, results },
    ...{ adjudication, reviewer, notices, withoutErased },
  });
  const findings = createFindingsService({ ...stores, cursors, clock, publicUrl: config.PUBLIC_URL });
  const changes = createChangesService({ ...stores, ...{ database, outbox, clock, publicUrl: config.PUBLIC_URL } });
  const records = createReviewRecordStore(database);
  const findingTasks = createFindingTasks({ ...stores, ...{ database, results, outbox, clock, logger } });
  const room = watchRoom(deps);
  const mounted: MountedRules | undefined = config.MOUNT_RULES
    ? mountRules({
        ...{ ...deps, outbox, audit, analyses, results, settings, notices, findings, takeResults, room },
        reviews: reviewer.backfills,
      })
    : undefined;
  const handing = mountWorkItems({ ...deps, ...stores, outbox, audit, tombstones, changes, settings });
  const webhooks = mountWebhooks({ ...deps, audit, withoutErased, records });
  const takeReady = takeReadyConversations({ database, settings, analyses, outbox, clock, mounted });
  const erasing = {
    ...{ database, results, outbox, tombstones, broker, clock },
    eraseDeliveries: webhooks.eraseQuotes,
  };
  const endGivenUp = endGivenUpAnalyses({ database, analyses, outbox, clock });
  return {
    listener: createApi({
      ...deps.api,
      idempotency: createIdempotencyStore(database, config.AUTH_SECRET),
      routes: [
        ...findingRoutes(findings, changes, adjudication.waitingOf),
        ...clusterRoutes(createClustersService(grouping), changes.viewOf),
        ...createDiagnosisRoutes({ database, clock, findings: stores.findings, reviews: records, reviewer }),
        ...diagnosticFigureRoutes({ analyses, repairs: handing.repairSync, clock }),
        ...erasureRoutes({
          ...{ database, tombstones, broker },
          eraseFindings: createEraseFindings(erasing),
        }),
        ...webhooks.routes,
        ...reviewRoutes({ records, waitingOf: reviewer.waitingOf, cursors }),
        ...settingsRoutes({
          ...{ database, outbox, audit, settings, clock, budgetChanged: adjudication.budgetChanged },
          reviewsChanged: reviewer.settingsChanged,
        }),
        ...(mounted?.routes ?? unmountedRoutes()),
        ...handing.routes,
      ],
    }),
    start: () => [
      ...startConsumers(deps, { takeReady, takeResults, endGivenUp }),
      findingTasks.start(),
      ...adjudication.start(),
      ...reviewer.start(),
      ...webhooks.start(),
      ...(mounted?.start() ?? []),
      ...handing.start(),
    ],
  };
}

/** Watches the room in the queue of the workers that run the Rules. */
function watchRoom({ broker, logger }: DiagnosticsDependencies) {
  const queues = { queue: QUEUES.analysis, results: QUEUES.analysisResults };
  return watchQueueRoom({ broker, logger, ...queues, unitsOfConsumer: SNAPSHOTS_OF_WORKER });
}

interface ResultsTaking extends Pick<DiagnosticsDependencies, 'database' | 'clock'> {
  outbox: Outbox;
  analyses: AnalysisStore;
  results: ResultStore;
  adjudication: Adjudication;
  reviewer: Reviewer;
  notices: ReturnType<typeof createNoticePrompts>;
  withoutErased: ReturnType<typeof createErased>;
}

/** Creates the function that applies the results of workers, and queues what follows from them. */
function createTakeResults({ adjudication, reviewer, notices, withoutErased, ...deps }: ResultsTaking) {
  const { database, clock } = deps;
  const applyResults = createResultsService({
    ...deps,
    prepare: reviewer.plansOf,
    async afterwards(tx, found, plans) {
      await adjudication.queue(tx, found);
      await reviewer.queue(tx, found, plans);
    },
    inbox: createInbox(database, INBOX_NAME),
    admit: createAdmitResults({ expectations: createExpectationStore(database), clock, withoutErased }),
  });
  return async (messages: readonly ResultMessage[]): Promise<void> => {
    // Safe to repeat: prompts that were noticed before are skipped.
    await notices.notice(messages.flatMap(({ prompts }) => prompts));
    await applyResults(messages);
  };
}

interface Taking {
  takeReady: ReturnType<typeof takeReadyConversations>;
  takeResults: (messages: readonly ResultMessage[]) => Promise<void>;
  endGivenUp: ReturnType<typeof endGivenUpAnalyses>;
}

/** Starts the consumers of messages for this service. */
function startConsumers({ broker, logger }: DiagnosticsDependencies, { takeReady, takeResults, endGivenUp }: Taking) {
  return [
    consumeBatches({
      ...{ broker, logger, maxWaitMs: MAX_WAIT_MS },
      queue: QUEUES.conversationReady,
      handle: takeReady,
    }),
    consumeBatches({
      ...{ broker, logger, maxWaitMs: MAX_WAIT_MS, queue: QUEUES.analysisResults },
      handle: (messages) => takeResults(messages.map(resultMessageOf)),
    }),
    consume({
      ...{ broker, logger, queue: QUEUES.analysisGivenUp },
      handle: (command) => endGivenUp(givenUpCommandOf(command)),
    }),
  ];
}
