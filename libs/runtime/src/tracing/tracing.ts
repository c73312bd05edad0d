import type { Span, SpanStart, Tracing, TracingOptions } from './span.ts';

// One per process, like the log: the span of a request is found by async context, and is not passed as an argument.
let tracing: Tracing | undefined;

/**
 * Sends traces to the collector that the standard variables name (`OTEL_EXPORTER_OTLP_ENDPOINT`). If none is named, no
 * part of OpenTelemetry's SDK is loaded, and every function below does nothing.
 */
export async function startTracing(options: TracingOptions): Promise<Pick<Tracing, 'stop'> | undefined> {
  if (!isConfigured(options.env)) return undefined;
  const { openTelemetry } = await import('./open-telemetry.ts');
  const started = openTelemetry(options);
  tracing = started;
  return {
    async stop() {
      if (tracing === started) tracing = undefined;
      await started.stop();
    },
  };
}

function isConfigured(env: TracingOptions['env']): boolean {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  return endpoint !== '' && env['OTEL_SDK_DISABLED'] !== 'true' && env['OTEL_TRACES_EXPORTER'] !== 'none';
}

/** Begins a new trace, for the share of requests that are sampled. Only for requests from outside. */
export function beginTrace(start: SpanStart): Span | undefined {
  return tracing?.begin(start);
}

/** Begins the next span of a trace within this deployment; none without a `traceparent`. */
export function resumeTrace(traceparent: unknown, start: SpanStart): Span | undefined {
  return traceparent === undefined ? undefined : tracing?.resume(traceparent, start);
}

/** Returns the span of the current work. */
export function currentSpan(): Span | undefined {
  return tracing?.current();
}

/** Begins a span within the current one. */
export function beginSpan(start: SpanStart): Span | undefined {
  const current = tracing?.current();
  return current === undefined ? undefined : tracing?.resume(current.traceparent, start);
}

/** Runs work in a span that ends with it. */
export async function inSpan<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  if (span === undefined) return await work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ hasFailed: true });
    throw error;
  }
}

/** Tells whether log lines may contain a trace id. */
export function isTracing(): boolean {
  return tracing !== undefined;
}
