import type { App, DatabaseHost } from '@clew/host';
import { createApi } from '@clew/http';
import { consume, consumeBatches, QUEUES, queuesSweptBy, sweepDeadLetters } from '@clew/messaging';
import { createIdempotencyStore, createOutbox } from '@clew/persistence';
import type { Part } from '@clew/runtime';
import { createAssembler } from './settling/assembler.service.ts';
import { startAssemblerLoop } from './settling/assembler-loop.ts';
import { createReadConversations } from './settling/read-conversations.ts';
import type { WarehouseConfig } from './config.ts';
import { createConversationReader } from './conversations/conversation-reader.ts';
import { conversationRoutes } from './conversations/conversations.routes.ts';
import { createConversationsService } from './conversations/conversations.service.ts';
import { createConversationStore } from './conversations/conversations.store.ts';
import { createDueConversations } from './conversations/due-conversations.store.ts';
import { readyConversationRoutes } from './conversations/ready-conversations.routes.ts';
import { createReadyConversationsService } from './conversations/ready-conversations.service.ts';
import { createReadyConversationStore } from './conversations/ready-conversations.store.ts';
import { createErasure, type ErasedServices } from './erasure/create-erasure.ts';
import { startErasureLoop } from './erasure/erasure-loop.ts';
import { erasureRoutes } from './erasure/erasures.routes.ts';
import { createCallStore } from './fragments/calls.store.ts';
import { createCompaction } from './fragments/compaction.ts';
import { createSpanMover } from './fragments/earlier/move-spans.ts';
import { startSpanMover } from './fragments/earlier/span-mover.part.ts';
import { createFragmentStore } from './fragments/fragments.store.ts';
import { createPlaceStore } from './fragments/places.store.ts';
import { createStoreSpans } from './fragments/store-spans.service.ts';
import { createRetention } from './retention/create-retention.ts';
import { startRetentionLoop } from './retention/retention-loop.ts';
import { retentionRoutes } from './retention/retention.routes.ts';
import { createScoreStore } from './scores/scores.store.ts';
import { snapshotRoutes } from './snapshots/snapshots.routes.ts';
import { createSnapshotsService } from './snapshots/snapshots.service.ts';
import { createSnapshotStore } from './snapshots/snapshots.store.ts';
import { traceRoutes } from './traces/traces.routes.ts';
import { createTracesService } from './traces/traces.service.ts';

export type WarehouseDependencies = Pick<
  DatabaseHost<WarehouseConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'api' | 'cursors'
> & {
  /** Where what was made of conversations is erased. */
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
        ...conversationRoutes(conversationsService),
        ...readyConversationRoutes(services.readyConversations),
        ...traceRoutes(tracesService),
        ...snapshotRoutes(snapshotsService),
        ...erasureRoutes(services.erasure.service, services.erasure.project),
        ...retentionRoutes(services.retention.service, () => services.due.backlog(deps.clock.now())),
      ],
    }),
    start: () => startParts(deps, services),
  };
}

type Services = ReturnType<typeof createServices>;

function createServices({ config, database, broker, clock, cursors, erased }: WarehouseDependencies) {
  const quietMs = config.CONVERSATION_QUIET_MS;
  const fragments = createFragmentStore(database);
  const calls = createCallStore(database);
  const earlier = createSpanMover(database, fragments);
  const conversations = createConversationStore(database);
  const snapshots = createSnapshotStore(database);
  const scores = createScoreStore(database);
  const outbox = createOutbox(database);
  const readConversations = createReadConversations({ fragments, calls, earlier, scores, snapshots });
  const assembler = createAssembler({ database, conversations, snapshots, outbox, clock, readConversations });
  const reader = createConversationReader({ conversations, snapshots, readConversations });
  const places = createPlaceStore(database);
  const compaction = createCompaction(database, fragments);
  const retention = createRetention({ database, compaction, clock });
  const { expireWords } = retention;
  const erasure = createErasure({
    ...{ database, fragments, earlier, expireWords, services: erased, clock },
    sweepLetters: (judge) => sweepDeadLetters(broker, queuesSweptBy('telemetry-warehouse'), judge),
  });
  return {
    ...{ assembler, conversations, fragments, earlier, compaction, erasure },
    due: createDueConversations(database),
    retention,
    storeSpans: createStoreSpans({
      ...{ fragments, places, earlier, conversations, sweeps: retention.sweeps, clock, quietMs },
      fragmentsOf: erasure.fragmentsOf,
    }),
    conversationsService: createConversationsService({
      ...{ database, conversations, scores, reader, cursors, clock, quietMs },
    }),
    readyConversations: createReadyConversationsService({
      ...{ ready: createReadyConversationStore(database), reader, cursors },
    }),
    tracesService: createTracesService({ fragments, earlier, cursors }),
    snapshotsService: createSnapshotsService({ snapshots, reader, assembler }),
  };
}

function startParts(deps: WarehouseDependencies, services: Services): Part[] {
  const { database, broker, logger, clock, config } = deps;
  const { storeSpans, conversationsService } = services;
  const writer = consume({
    broker,
    queue: QUEUES.spansReceived,
    logger,
    handle: (message) => storeSpans.store(message),
  });
  const findingCounts = consumeBatches({
    ...{ broker, logger, queue: QUEUES.conversationFindings },
    handle: (messages) =>
      conversationsService.setFindingCounts(
        messages.flatMap(({ projectId, data }) => data.conversations.map((each) => ({ projectId, ...each }))),
      ),
  });
  const loop = startAssemblerLoop({
    ...services,
    ...{ clock, logger },
    concurrency: config.ASSEMBLER_CONCURRENCY,
    isBusy: () => storeSpans.isBusy(),
  });
  const mover = startSpanMover({ database, mover: services.earlier, logger });
  const retention = startRetentionLoop({
    ...services.retention,
    ...{ clock, logger, intervalMs: config.RETENTION_INTERVAL_MS },
  });
  const erasures = startErasureLoop({
    ...services.erasure,
    ...{ database, clock, logger, settleMs: config.ERASURE_SETTLE_MS },
  });
  return [writer, findingCounts, loop, mover, retention, erasures];
}
