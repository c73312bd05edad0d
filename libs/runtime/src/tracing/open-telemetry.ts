import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Span, SpanResult, SpanStart, Tracing, TracingOptions } from './span.ts';

const DEFAULT_RATIO = 0.01;
const STOP_TIMEOUT_MS = 2_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<SpanStart['kind'], SpanKind>;

/**
 * Creates the tracing of OpenTelemetry's SDK. Loaded only if a collector is named; its exporter reads the other
 * variables.
 */
export function openTelemetry({ service, version, env }: TracingOptions): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    // Every span is sampled, because only sampled requests get spans: the others cost no more than the decision.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: endpointOf(env) }) })],
  });
  const tracer = provider.getTracer('clew', version);
  const spans = new AsyncLocalStorage<Span>();
  const ratio = ratioOf(env);

  function start({ name, kind, attributes, linked = [] }: SpanStart, parent?: SpanContext): Span {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const links = linked.map(sampledContext).filter((each) => each !== undefined);
    const options = { kind: KINDS[kind], links: links.map((each) => ({ context: each })) };
    const own = tracer.startSpan(name, { ...options, ...(attributes === undefined ? {} : { attributes }) }, context);
    const { traceId, spanId } = own.spanContext();
    const span: Span = {
      traceId,
      traceparent: `00-${traceId}-${spanId}-01`,
      run: (work) => spans.run(span, work),
      end(result: SpanResult = {}) {
        if (result.name !== undefined) own.updateName(result.name);
        if (result.attributes !== undefined) own.setAttributes(result.attributes);
        if (result.hasFailed === true) own.setStatus({ code: SpanStatusCode.ERROR });
        own.end();
      },
    };
    return span;
  }

  return {
    begin: (begun) => (Math.random() < ratio ? start(begun) : undefined),
    resume(traceparent, begun) {
      const parent = sampledContext(traceparent);
      return parent === undefined ? undefined : start(begun, parent);
    },
    current: () => spans.getStore(),
    async stop() {
      // An unreachable collector does not delay the end of a process.
      const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/**
 * Returns the endpoint: the variable for traces is used unchanged; the common one is the base address of the collector.
 */
function endpointOf(env: TracingOptions['env']): string {
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  return env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? `${common.replace(/\/$/, '')}/v1/traces`;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a sampled `traceparent`; anything else is no parent. */
function sampledContext(traceparent: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0;
  return isSampled ? { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true } : undefined;
}

/** Share of requests that are sampled, by the standard variables. */
function ratioOf(env: TracingOptions['env']): number {
  const sampler = env['OTEL_TRACES_SAMPLER'] ?? 'traceidratio';
  if (sampler.endsWith('always_on')) return 1;
  if (sampler.endsWith('always_off')) return 0;
  const given = env['OTEL_TRACES_SAMPLER_ARG'] ?? '';
  const ratio = given === '' ? DEFAULT_RATIO : Number(given);
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return ratio;
}
