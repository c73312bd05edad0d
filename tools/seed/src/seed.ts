import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { encodeConversation } from './dialects.ts';
import { planSeed } from './plan-seed.ts';
import type { Sample } from './read-samples.ts';
import { toReadableSpan } from './to-readable-span.ts';

export interface SeedOptions {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly samples: readonly Sample[];
  readonly nowMs: number;
}

export interface SeedCounts {
  readonly conversations: number;
  readonly spans: number;
}

const SPANS_PER_EXPORT = 200;
/** Long enough for the exporter to wait and retry when the gateway asks it to. */
const EXPORT_TIMEOUT_MS = 60_000;

/**
 * Sends the samples as an application would: encoded as the spans of its instrumentation, over OTLP, with the official
 * exporter. Rejects with the exporter's error when the gateway refuses a batch for good.
 */
export async function seed({ gatewayUrl, apiKey, samples, nowMs }: SeedOptions): Promise<SeedCounts> {
  const planned = planSeed(samples, nowMs);
  const spans = planned
    .flatMap(({ script, ...options }) => encodeConversation(script, options).spans)
    .map(toReadableSpan);
  const exporter = new OTLPTraceExporter({
    url: new URL('/v1/traces', gatewayUrl).href,
    headers: { Authorization: `Bearer ${apiKey}` },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  try {
    for (let start = 0; start < spans.length; start += SPANS_PER_EXPORT) {
      await exportBatch(exporter, spans.slice(start, start + SPANS_PER_EXPORT));
    }
  } finally {
    await exporter.shutdown();
  }
  return { conversations: planned.length, spans: spans.length };
}

function exportBatch(exporter: OTLPTraceExporter, spans: ReadableSpan[]): Promise<void> {
  return new Promise((resolve, reject) => {
    exporter.export(spans, ({ error, code }) => {
      if (code === EXPORT_SUCCEEDED) resolve();
      else reject(error ?? new Error('The export failed'));
    });
  });
}

/** `ExportResultCode.SUCCESS` of the SDK. */
const EXPORT_SUCCEEDED = 0;
