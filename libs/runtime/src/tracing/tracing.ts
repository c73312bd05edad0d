import type { Span, SpanStart, Tracing, TracingOptions } from './span.ts';

// One for the process, as the log is: what belongs to a request is found by where the work runs, and not handed on.
let tracing: Tracing | undefined;

/**
 * Tells traces to the collector that the standard variables name (`OTEL_EXPORTER_OTLP_ENDPOINT`). Where none is named,
 * nothing of it is loaded, and every function below does nothing.
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

/** A new trace, for the share of requests that are sampled. Only where requests come in from outside. */
export function beginTrace(start: SpanStart): Span | undefined {
  return tracing?.begin(start);
}

/** The next step of a trace that somebody of this deployment began; of none where there is no `traceparent`. */
export function resumeTrace(traceparent: unknown, start: SpanStart): Span | undefined {
  return traceparent === undefined ? undefined : tracing?.resume(traceparent, start);
}

/** The step that the present work belongs to. */
export function currentSpan(): Span | undefined {
  return tracing?.current();
}

/** A step within the present one. */
export function beginSpan(start: SpanStart): Span | undefined {
  const current = tracing?.current();
  return current === undefined ? undefined : tracing?.resume(current.traceparent, start);
}

/** Runs work as a step that ends with it. */
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

/** Whether log lines may have a trace to name. */
export function isTracing(): boolean {
  return tracing !== undefined;
}
