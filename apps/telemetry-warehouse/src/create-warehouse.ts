import type { RequestListener } from 'node:http';
import { createApi, operationsRouter, type Authenticate } from '@clew/http';
import { createCursorCodec, deriveSecret, type Clock } from '@clew/kernel';
import { consume, QUEUES, type Broker } from '@clew/messaging';
import { createOutbox, type Database } from '@clew/persistence';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo, Stoppable } from '@clew/runtime';
import { createAssembler } from './assembler/assembler.service.ts';
import { startAssemblerLoop } from './assembler/assembler-loop.ts';
import type { WarehouseConfig } from './config.ts';
import { conversationRoutes } from './conversations/conversations.routes.ts';
import { createConversationsService } from './conversations/conversations.service.ts';
import { createConversationStore } from './conversations/conversations.store.ts';
import { createScoreStore } from './scores/scores.store.ts';
import { snapshotRoutes } from './snapshots/snapshots.routes.ts';
import { createSnapshotsService } from './snapshots/snapshots.service.ts';
import { createSnapshotStore } from './snapshots/snapshots.store.ts';
import { createSpanStore } from './spans/spans.store.ts';
import { createStoreSpans } from './spans/store-spans.service.ts';
import { traceRoutes } from './spans/traces.routes.ts';
import { createTracesService } from './spans/traces.service.ts';

export interface WarehouseDependencies {
  config: Pick<WarehouseConfig, 'AUTH_SECRET' | 'CONVERSATION_QUIET_MS' | 'ASSEMBLER_CONCURRENCY'>;
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
  startWork(): Stoppable[];
}

export function createWarehouse(deps: WarehouseDependencies): Warehouse {
  const { config, database, broker, clock, logger, metrics } = deps;
  const spans = createSpanStore(database);
  const conversations = createConversationStore(database);
  const snapshots = createSnapshotStore(database);
  const scores = createScoreStore(database);
  const outbox = createOutbox(database);
  const cursors = createCursorCodec(deriveSecret(config.AUTH_SECRET, 'cursor/v1'));
  const assembler = createAssembler({ database, spans, conversations, snapshots, outbox, clock });
  const service = createConversationsService({ conversations, snapshots, scores, assembler, cursors, clock });
  return {
    listener: createApi({
      authenticate: deps.authenticate,
      logger,
      metrics,
      operations: [operationsRouter({ ...deps, healthPath: '/health' })],
      routes: [
        ...conversationRoutes(service),
        ...traceRoutes(createTracesService({ spans, cursors })),
        ...snapshotRoutes(createSnapshotsService({ database, conversations, snapshots, scores, assembler })),
      ],
    }),
    startWork() {
      const quietMs = config.CONVERSATION_QUIET_MS;
      const writer = consume({
        broker,
        queue: QUEUES.spansReceived,
        logger,
        handle: createStoreSpans({ spans, conversations, clock, quietMs }),
      });
      const findingCounts = consume({
        broker,
        queue: QUEUES.conversationFindings,
        logger,
        handle: ({ projectId, data }) =>
          service.setFindingCount(projectId, data.conversationId, data.findingCount, data.sequence),
      });
      const concurrency = config.ASSEMBLER_CONCURRENCY;
      const loop = startAssemblerLoop({ assembler, conversations, clock, logger, concurrency });
      return [
        { name: 'span writer', stop: () => writer.stop() },
        { name: 'finding counts', stop: () => findingCounts.stop() },
        { name: 'assembler', stop: () => loop.stop() },
      ];
    },
  };
}
