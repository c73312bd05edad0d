import { deedRecorded } from '@clew/contracts';
import type { App, DatabaseHost } from '@clew/host';
import { createApi } from '@clew/http';
import { consume, consumeBatches, QUEUES, queuesSweptBy, sweepDeadLetters } from '@clew/messaging';
import { createAuditTrail, createIdempotencyStore, createOutbox } from '@clew/persistence';
import type { BackgroundTask } from '@clew/runtime';
import type { WarehouseConfig } from './config.ts';
import {
  createConversationStore,
  createDueConversations,
  createReadyConversationStore,
} from './conversations/index.ts';
import { createErasure, erasureRoutes, startErasureLoop, type ErasedServices } from './erasure/index.ts';
import {
  createCallStore,
  createCompaction,
  createFragmentStore,
  createPlaceStore,
  createStoreSpans,
} from './fragments/index.ts';
import { createHourStore, createSeriesService, createSetFindingCounts } from './hours/index.ts';
import { createActivity, createGiveWay, type GiveWay } from './limits/index.ts';
import {
  conversationFigureRoutes,
  conversationRoutes,
  createConversationReader,
  createConversationsService,
  createReadyConversationsService,
  createSnapshotsService,
  createTracesService,
  readyConversationRoutes,
  snapshotRoutes,
  traceRoutes,
} from './reads/index.ts';
import { createPrivacyService, createPrivacyStore, privacyRoutes } from './privacy/index.ts';
import { createQuotas } from './quotas/index.ts';
import { createRetention, retentionRoutes, startRetentionLoop } from './retention/index.ts';
import { createScoreStore } from './scores/index.ts';
import { createAssembler, createReadConversations, startAssemblerLoop } from './assembly/index.ts';
import { createSnapshotStore } from './snapshots/index.ts';

export type WarehouseDependencies = Pick<
  DatabaseHost<WarehouseConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'api' | 'cursors'
> & {
  /** Services that erase data derived from conversations. */
  erased: ErasedServices;
};

export function createWarehouse(deps: WarehouseDependencies): App {
  const services = createServices(deps);
  const { conversationsService, tracesService, snapshotsService } = services;
  return {
    listener: createApi({
      ...deps.api,
      idempotency: createIdempotencyStore(deps.database, deps.config.AUTH_SECRET),
      routes: [
        ...conversationFigureRoutes(conversationsService, services.series),
        ...conversationRoutes(conversationsService),
        ...readyConversationRoutes(services.readyConversations),
        ...privacyRoutes(services.privacy),
        ...services.quotas.routes,
        ...traceRoutes(tracesService),
        ...snapshotRoutes(snapshotsService),
        ...erasureRoutes(services.erasure.service, services.erasure.project),
        ...retentionRoutes(services.retention.service, {
          backlog: () => services.due.backlog(deps.clock.now()),
          backlogOf: (projectId) => services.due.backlogOf(projectId, deps.clock.now()),
        }),
      ],
    }),
    start: () => startBackgroundTasks(deps, services),
  };
}

type Services = ReturnType<typeof createServices>;

function createServices({ config, database, broker, clock, cursors, erased }: WarehouseDependencies) {
  const quietMs = config.CONVERSATION_QUIET_MS;
  const fragments = createFragmentStore(database);
  const calls = createCallStore(database);
  const conversations = createConversationStore(database);
  const snapshots = createSnapshotStore(database);
  const scores = createScoreStore(database);
  const hours = createHourStore(database);
  const outbox = createOutbox(database);
  const audit = createAuditTrail(outbox, deedRecorded, clock);
  const readConversations = createReadConversations({ fragments, calls, scores, snapshots });
  const assembler = createAssembler({ database, conversations, snapshots, hours, outbox, clock, readConversations });
  const reader = createConversationReader({ conversations, snapshots, readConversations });
  const places = createPlaceStore(database);
  const compaction = createCompaction(database, fragments);
  const privacy = createPrivacyService({ privacy: createPrivacyStore(database), outbox, clock });
  const retention = createRetention({ database, compaction, privacy, hours, audit, clock });
  const { expireWords } = retention;
  const erasure = createErasure({
    ...{ database, fragments, expireWords, hours, services: erased, audit, cursors, clock },
    sweepLetters: (judge) => sweepDeadLetters(broker, queuesSweptBy('telemetry-warehouse'), judge),
  });
  const quotas = createQuotas({ database, outbox, clock, datasets: erased.datasets });
  const createWriter = (giveWay?: GiveWay) =>
    createStoreSpans({
      ...{ fragments, places, conversations, clock, quietMs, ...(giveWay && { giveWay }) },
      async ensureSweeps(projectIds, nowMs) {
        await retention.sweeps.ensure(projectIds, nowMs);
        await quotas.ensureMeasured(projectIds, nowMs);
      },
      fragmentsOf: erasure.fragmentsOf,
    });
  const assembling = createActivity();
  // Each lane has its own writer, so that no message of the usual lane waits for a large write of the other. The bulk
  // lane comes last: otherwise what one project sends would slow down the conversations of all others.
  const usual = createWriter();
  const bulk = createWriter(createGiveWay({ isBusy: () => usual.isBusy() || assembling.isBusy() }));
  return {
    ...{ assembler, assembling, conversations, fragments, compaction, erasure },
    due: createDueConversations(database),
    ...{ retention, privacy, quotas },
    usual,
    bulk,
    conversationsService: createConversationsService({
      ...{ database, conversations, scores, reader, cursors, clock, quietMs },
      protectorOf: privacy.protectorOf,
      settings: retention.settings,
    }),
    readyConversations: createReadyConversationsService({
      ...{ ready: createReadyConversationStore(database), reader, cursors },
    }),
    series: createSeriesService(hours),
    setFindingCounts: createSetFindingCounts(database, { conversations, hours }),
    tracesService: createTracesService({ fragments, cursors }),
    snapshotsService: createSnapshotsService({ snapshots, reader, assembler, settings: retention.settings }),
  };
}

function startBackgroundTasks(deps: WarehouseDependencies, services: Services): BackgroundTask[] {
  const { database, broker, logger, clock, config } = deps;
  const { usual, bulk, assembler, assembling } = services;
  const usualLane = consume({ broker, logger, queue: QUEUES.spansReceived, handle: (message) => usual.store(message) });
  const bulkLane = consume({
    broker,
    logger,
    queue: QUEUES.spansReceivedBulk,
    handle: (message) => bulk.store(message),
  });
  const findingCounts = consumeBatches({
    ...{ broker, logger, queue: QUEUES.conversationFindings },
    handle: (messages) =>
      services.setFindingCounts(
        messages.flatMap(({ projectId, data }) => data.conversations.map((each) => ({ projectId, ...each }))),
      ),
  });
  const loop = startAssemblerLoop({
    ...services,
    ...{ clock, logger },
    assembler: { settle: (...args) => assembling.during(() => assembler.settle(...args)) },
    concurrency: config.ASSEMBLER_CONCURRENCY,
    isBusy: () => usual.isBusy(),
  });
  const retention = startRetentionLoop({
    ...services.retention,
    ...{ clock, logger, intervalMs: config.RETENTION_INTERVAL_MS },
  });
  const erasures = startErasureLoop({
    ...services.erasure,
    ...{ database, clock, logger, settleMs: config.ERASURE_SETTLE_MS },
  });
  const quotas = services.quotas.start({ broker, logger, intervalMs: config.STORAGE_INTERVAL_MS });
  return [usualLane, bulkLane, findingCounts, loop, retention, erasures, ...quotas];
}
