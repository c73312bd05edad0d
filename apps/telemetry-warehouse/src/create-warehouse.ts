import type { App, DatabaseHost } from '@clew/host';
import { createApi } from '@clew/http';
import { consume, QUEUES } from '@clew/messaging';
import { createIdempotencyStore, createOutbox } from '@clew/persistence';
import type { Part } from '@clew/runtime';
import { createAssembler } from './settling/assembler.service.ts';
import { startAssemblerLoop } from './settling/assembler-loop.ts';
import { createReadConversation } from './settling/read-conversation.ts';
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

export type WarehouseDependencies = Pick<
  DatabaseHost<WarehouseConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'api' | 'cursors'
>;

export function createWarehouse(deps: WarehouseDependencies): App {
  const services = createServices(deps);
  const { conversationsService, tracesService, snapshotsService } = services;
  return {
    listener: createApi({
      ...deps.api,
      idempotency: createIdempotencyStore(deps.database),
      routes: [
        ...conversationRoutes(conversationsService),
        ...traceRoutes(tracesService),
        ...snapshotRoutes(snapshotsService),
      ],
    }),
    start: () => startParts(deps, services),
  };
}

type Services = ReturnType<typeof createServices>;

function createServices({ config, database, clock, cursors }: WarehouseDependencies) {
  const quietMs = config.CONVERSATION_QUIET_MS;
  const spans = createSpanStore(database);
  const records = createRecordStore(database);
  const links = createTraceLinkStore(database);
  const conversations = createConversationStore(database);
  const snapshots = createSnapshotStore(database);
  const scores = createScoreStore(database);
  const outbox = createOutbox(database);
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

function startParts({ broker, logger, clock, config }: WarehouseDependencies, services: Services): Part[] {
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
  return [writer, findingCounts, loop];
}
