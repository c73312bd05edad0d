import { deedRecorded } from '@clew/contracts';
import type { App, DatabaseHost } from '@clew/host';
import { createApi, type ServiceClient } from '@clew/http';
import { createAuditTrail, createIdempotencyStore, createOutbox } from '@clew/persistence';
import { backfillRoutes, createBackfillsService, createGoalBackfills } from './backfills/index.ts';
import type { KnowledgeConfig } from './config.ts';
import { createExtraction, type ExtractionDependencies } from './create-extraction.ts';
import { createErasure, erasureRoutes } from './erasure/index.ts';
import { createGoalsService, createGoalStore, goalRoutes } from './goals/index.ts';
import { createFindQuotes, createItemsService, createItemStore, itemRoutes } from './items/index.ts';
import { createNearStatements, likenessOfWords, nearStatementRoutes } from './merging/index.ts';
import { createProjectModels } from './models/index.ts';
import {
  createEmbedQuery,
  createNearItems,
  createSearchItems,
  searchRoutes,
  type EmbedQueryDependencies,
} from './search/index.ts';
import { createSettingsStore, settingsRoutes } from './settings/index.ts';

export interface KnowledgeDependencies extends Pick<
  DatabaseHost<KnowledgeConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'api' | 'cursors'
> {
  warehouse: ServiceClient;
  modelRuntime: ServiceClient;
  /** Inference client that embeds searches; its deadline is short. */
  inference: EmbedQueryDependencies['inference'];
  /** Time in milliseconds that a search waits for an embedding, which tests change. */
  searchPatienceMs?: number;
  /** Pace of extraction, which tests shorten. */
  pace?: ExtractionDependencies['pace'];
}

/** Wires the service. */
export function createKnowledge(deps: KnowledgeDependencies): App {
  const { database, broker, clock, logger, api, cursors } = deps;
  const settings = createSettingsStore(database);
  const models = createProjectModels(deps.modelRuntime, logger);
  const goals = createGoalStore(database);
  const items = createItemStore(database);
  const outbox = createOutbox(database);
  const audit = createAuditTrail(outbox, deedRecorded, clock);
  const extraction = createExtraction({ ...deps, settings, models, goals, outbox });
  const updateBackfills = createGoalBackfills(database, outbox);
  const goalsService = createGoalsService({
    ...{ database, goals, models, outbox, audit, cursors, clock },
    waitingOf: extraction.waitingOf,
    async afterChange(tx, { before, after, nowMs }) {
      if (before.status === after.status) return;
      await updateBackfills(tx, after, nowMs);
      database.afterCommit(tx, () => void extraction.goalStatusChanged(after));
    },
  });
  const embedQuery = createEmbedQuery({
    ...{ models, logger, inference: deps.inference },
    patienceMs: deps.searchPatienceMs,
  });
  const itemsService = createItemsService({
    ...{ database, items, goals, outbox, cursors, clock },
    likenessOf: ({ content }) => likenessOfWords(content),
    findQuotes: createFindQuotes(deps.warehouse),
    near: createNearItems(database, embedQuery),
  });
  const backfills = createBackfillsService({
    ...{ database, outbox, goals, models, cursors, clock },
    ...{ backfills: extraction.backfills, waitingOf: extraction.waitingOf },
  });
  return {
    listener: createApi({
      ...api,
      idempotency: createIdempotencyStore(database, deps.config.AUTH_SECRET),
      routes: [
        ...settingsRoutes({ database, settings, audit, clock }),
        ...goalRoutes(goalsService),
        ...itemRoutes(itemsService),
        ...searchRoutes(createSearchItems({ database, items, embedQuery, clock })),
        ...backfillRoutes(backfills),
        ...nearStatementRoutes(createNearStatements(database)),
        ...erasureRoutes({ database, broker, erasure: createErasure({ database, goals, outbox, broker, clock }) }),
      ],
    }),
    start: extraction.start,
  };
}
