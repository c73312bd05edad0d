import { watchPrivateProjects, type App, type Host } from '@clew/host';
import { createApi, type ServiceClient } from '@clew/http';
import { observeGauge, type MetricsRegistry } from '@clew/runtime';
import { createByteBudget, type ByteBudget } from './body/byte-budget.ts';
import { openSpools, type Spools } from './body/spool.ts';
import type { IngestConfig } from './config.ts';
import { importRoutes } from './import/import.routes.ts';
import { createImportService } from './import/import.service.ts';
import { createExportService } from './otlp/export.service.ts';
import { otlpRoutes } from './otlp/otlp.routes.ts';
import { createProtection } from './privacy/protection.ts';
import { createIngestMeter } from './quota/ingest-meter.ts';
import { createRecordPublishers } from './publish/record-publisher.ts';
import { createSpanPublisher } from './publish/span-publisher.ts';

export interface IngestDependencies extends Pick<
  Host<IngestConfig>,
  'config' | 'broker' | 'publisher' | 'clock' | 'logger' | 'metrics' | 'api'
> {
  /** Owner of the privacy settings of projects. */
  warehouse: Pick<ServiceClient, 'call'>;
  /** The same service, for calls that end within seconds: it keeps the counts of quotas. */
  counts: Pick<ServiceClient, 'call'>;
}

export interface Ingest extends App {
  /** Memory that requests hold; zero when no request is in progress. */
  budget: ByteBudget;
  spools: Spools;
}

/** No limits here: imports are streamed and held to the gateway's limit, and only a line at a time is in memory. */
const IMPORT_LIMITS = { maxBytes: Number.MAX_SAFE_INTEGER, maxDecompressedBytes: Number.MAX_SAFE_INTEGER };

export async function createIngest(deps: IngestDependencies): Promise<Ingest> {
  const { config, clock, metrics } = deps;
  const publisher = createSpanPublisher({ publisher: deps.publisher, clock });
  const budget = createByteBudget({
    maxBytes: config.MAX_BYTES_IN_FLIGHT,
    orphanedBytes: () => publisher.orphanedBytes(),
  });
  const spools = await openSpools({ directory: config.SPOOL_DIRECTORY, maxOpen: config.MAX_SPOOLS });
  const privateProjects = watchPrivateProjects({ ...deps, patienceMs: config.PRIVACY_PATIENCE_MS });
  const protection = createProtection(privateProjects);
  const meter = createIngestMeter({ ...deps, warehouse: deps.counts });
  const { requireOpen } = meter;
  const openPublisher = createRecordPublishers({ publisher, clock, meter, protect: protection.protect });
  observe(metrics, budget, spools);
  const exports = createExportService({
    openPublisher,
    requireOpen,
    budget,
    spools,
    spoolThresholdBytes: config.SPOOL_THRESHOLD_BYTES,
    limits: { maxBytes: config.MAX_OTLP_BODY_BYTES, maxDecompressedBytes: config.MAX_OTLP_DECOMPRESSED_BYTES },
  });
  const importLines = createImportService({
    openPublisher,
    requireOpen,
    settingsOf: protection.settingsOf,
    budget,
    clock,
    maxLineBytes: config.MAX_IMPORT_LINE_BYTES,
    patienceMs: config.IMPORT_PATIENCE_MS,
  });
  const listener = createApi({
    ...deps.api,
    routes: [...otlpRoutes(exports), ...importRoutes(importLines, IMPORT_LIMITS)],
  });
  return {
    listener,
    start: () => [privateProjects.start(), meter.start(), { name: 'protection', stop: protection.close }],
    ...{ budget, spools },
  };
}

function observe(metrics: MetricsRegistry, budget: ByteBudget, spools: Spools): void {
  observeGauge(metrics, 'clew_ingest_held_bytes', (set) => set(budget.usedBytes));
  observeGauge(metrics, 'clew_ingest_open_spools', (set) => set(spools.openCount));
}
