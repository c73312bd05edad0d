import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { EncodedSpan } from '@clew/testing/dialects';
import { toReadableSpan } from './to-readable-span.ts';

export interface ExportOptions {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly spans: readonly EncodedSpan[];
}

const SPANS_PER_EXPORT = 200;
/** Long enough for the exporter to wait and retry when the gateway asks it to. */
const EXPORT_TIMEOUT_MS = 60_000;
/** Value of `ExportResultCode.SUCCESS` in the SDK. */
const EXPORT_SUCCEEDED = 0;

/**
 * Sends spans as an application would: with the official exporter, which only needs an endpoint and a header. Rejects
 * with the exporter's error if the gateway refuses a batch permanently.
 */
export async function exportSpans({ gatewayUrl, apiKey, spans }: ExportOptions): Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: new URL('/v1/traces', gatewayUrl).href,
    headers: { Authorization: `Bearer ${apiKey}` },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  try {
    for (let start = 0; start < spans.length; start += SPANS_PER_EXPORT) {
      await exportBatch(exporter, spans.slice(start, start + SPANS_PER_EXPORT).map(toReadableSpan));
    }
  } finally {
    await exporter.shutdown();
  }
}

function exportBatch(exporter: OTLPTraceExporter, spans: ReadableSpan[]): Promise<void> {
  return new Promise((resolve, reject) => {
    exporter.export(spans, ({ error, code }) => {
      if (code === EXPORT_SUCCEEDED) resolve();
      else reject(error ?? new Error('The export failed'));
    });
  });
}
