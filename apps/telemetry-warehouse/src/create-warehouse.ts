import type { RequestListener } from 'node:http';
import { createApi, operationsRouter, type Authenticate } from '@clew/http';
import { createCursorCodec, deriveSecret, type Clock } from '@clew/kernel';
import { consume, QUEUES, type Broker } from '@clew/messaging';
import { createOutbox, type Database } from '@clew/persistence';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo, Stoppable } from '@clew/runtime';
import { createAssembler } from './assembler/assembler.service.ts';
import { startAssemblerLoop } from './assembler/assembler-loop.ts';
import { createReadConversation } from './assembler/read-conversation.ts';
import type { WarehouseConfig } from './config.ts';
import { createConversationReader } from './conversations/conversation-reader.ts';
import { conversationRoutes } from './conversations/conversations.routes.ts';
import { createConversationsService } from './conversations/conversations.service.ts';
import { createConversationStore } from './conversations/conversations.store.ts';
import { createDueConversations } from './conversations/due-conversations.store.ts';
import { createScoreStore } from './scores/scores.store.ts';
import { snapshotRoutes } from './snapshots/snapshots.routes.ts';
import { createSnapshotsService } from './snapshots/snapshots.service.ts';
import { createSnapshotStore } from './snapshots/snapshots.store.ts';
import { createRecordStore } from './spans/records.store.ts';
import { createSpanStore } from './spans/spans.store.ts';
import { createStoreSpans } from './spans/store-spans.service.ts';
import { createTraceLinkStore } from './spans/trace-links.store.ts';
import { traceRoutes } from './spans/traces.routes.ts';
import { createTracesService } from './spans/traces.service.ts';

export interface WarehouseDependencies {
  config: Pick<WarehouseConfig, 'AUTH_SECRET' | 'CONVERSATION_QUIET_MS' | 'ASSEMBLER_CONCURRENCY' | 'MAX_BEAT_AGE_MS'>;
  database: Database;
  broker: Broker;
  authenticate: Authenticate;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  info: ServiceInfo;
  readiness: Readiness;
}

export interface Warehouse {
  listener: RequestListener;
  /** Begins to store what comes and to assemble what is due. */
  startWork(): readonly Stoppable[];
}

export function createWarehouse(deps: WarehouseDependencies): Warehouse {
  const services = createServices(deps);
  const { conversationsService, tracesService, snapshotsService } = services;
  let parts: readonly WorkingPart[] = [];
  const isAlive = () => parts.every((part) => part.beatAgeMs() < deps.config.MAX_BEAT_AGE_MS);
  return {
    listener: createApi({
      authenticate: deps.authenticate,
      logger: deps.logger,
      metrics: deps.metrics,
      operations: [operationsRouter({ ...deps, healthPath: '/health', isAlive })],
      routes: [
        ...conversationRoutes(conversationsService),
        ...traceRoutes(tracesService),
        ...snapshotRoutes(snapshotsService),
      ],
    }),
    startWork() {
      parts = startWork(deps, services);
      return parts;
    },
  };
}

type Services = ReturnType<typeof createServices>;

/** Work in the background that says when it last showed that it works. */
type WorkingPart = Stoppable & { beatAgeMs(): number };

function createServices({ config, database, clock }: WarehouseDependencies) {
  const quietMs = config.CONVERSATION_QUIET_MS;
  const spans = createSpanStore(database);
  const records = createRecordStore(database);
  const links = createTraceLinkStore(database);
  const conversations = createConversationStore(database);
  const snapshots = createSnapshotStore(database);
  const scores = createScoreStore(database);
  const outbox = createOutbox(database);
  const cursors = createCursorCodec(deriveSecret(config.AUTH_SECRET, 'cursor/v1'));
  const readConversation = createReadConversation({ records, links, scores, snapshots });
  const assembler = createAssembler({ database, conversations, snapshots, outbox, clock, readConversation });
  const reader = createConversationReader({ conversations, snapshots, readConversation });
  return {
    ...{ assembler, conversations, records },
    due: createDueConversations(database),
    storeSpans: createStoreSpans({ spans, links, conversations, clock, quietMs }),
    conversationsService: createConversationsService({
      ...{ database, conversations, scores, reader, cursors, clock, quietMs },
    }),
    tracesService: createTracesService({ spans, cursors }),
    snapshotsService: createSnapshotsService({ database, snapshots, reader, assembler }),
  };
}

function startWork({ broker, logger, clock, config }: WarehouseDependencies, services: Services): WorkingPart[] {
  const { storeSpans, conversationsService } = services;
  const writer = consume({
    broker,
    queue: QUEUES.spansReceived,
    logger,
    handle: (message) => storeSpans.store(message),
  });
  const findingCounts = consume({
    broker,
    queue: QUEUES.conversationFindings,
    logger,
    handle: ({ projectId, data: { conversationId, findingCount, sequence } }) =>
      conversationsService.setFindingCount(projectId, conversationId, findingCount, sequence),
  });
  const loop = startAssemblerLoop({
    ...services,
    ...{ clock, logger },
    concurrency: config.ASSEMBLER_CONCURRENCY,
    isBusy: () => storeSpans.isBusy(),
  });
  return [
    { name: 'span writer', ...writer },
    { name: 'finding counts', ...findingCounts },
    { name: 'assembler', ...loop },
  ];
}
