import type { RequestListener } from 'node:http';
import type { Clock } from '@clew/kernel';
import { createApi, operationsRouter, type Authenticate } from '@clew/http';
import type { Publisher } from '@clew/messaging';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo } from '@clew/runtime';
import { createByteBudget } from './byte-budget.ts';
import type { IngestConfig } from './config.ts';
import { importRoutes } from './import/import.routes.ts';
import { createImportService } from './import/import.service.ts';
import { createExportService } from './otlp/export.service.ts';
import { otlpRoutes } from './otlp/otlp.routes.ts';
import { createSpanPublisher } from './span-publisher.ts';

export interface IngestDependencies {
  config: IngestConfig;
  authenticate: Authenticate;
  publisher: Publisher;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  info: ServiceInfo;
  readiness: Readiness;
}

/** Imports are streamed and held to the gateway's limit; here nothing but a line is ever in memory. */
const IMPORT_LIMITS = { maxBytes: Number.MAX_SAFE_INTEGER, maxDecompressedBytes: Number.MAX_SAFE_INTEGER };

export function createIngest(deps: IngestDependencies): RequestListener {
  const { config, clock, logger, metrics } = deps;
  const publish = createSpanPublisher(deps.publisher, clock);
  const exports = createExportService({
    publish,
    budget: createByteBudget(config.MAX_BYTES_IN_FLIGHT),
    limits: { maxBytes: config.MAX_OTLP_BODY_BYTES, maxDecompressedBytes: config.MAX_OTLP_DECOMPRESSED_BYTES },
  });
  const importLines = createImportService({ publish, clock, maxLineBytes: config.MAX_IMPORT_LINE_BYTES });
  return createApi({
    authenticate: deps.authenticate,
    logger,
    metrics,
    operations: [operationsRouter(deps)],
    routes: [...otlpRoutes(exports), ...importRoutes(importLines, IMPORT_LIMITS)],
  });
}
