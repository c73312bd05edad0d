import { TraceFlags, type HrTime, type SpanContext } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { EncodedSpan } from '@clew/testing/dialects';

const RESOURCE = resourceFromAttributes({ 'service.name': 'clew-samples', 'deployment.environment.name': 'sample' });

/** Encoded span in the form in which the official SDK hands spans to its exporters. */
export function toReadableSpan(span: EncodedSpan): ReadableSpan {
  const { traceId, parentSpanId, status } = span;
  const contextOf = (spanId: string): SpanContext => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  return {
    name: span.name,
    // Span kinds of the SDK begin at 0, those of OTLP at 1 (0 is unspecified).
    kind: span.kind - 1,
    spanContext: () => contextOf(span.spanId),
    ...(parentSpanId === undefined ? {} : { parentSpanContext: contextOf(parentSpanId) }),
    startTime: hrTimeOf(span.startTimeMs),
    endTime: hrTimeOf(span.endTimeMs),
    duration: hrTimeOf(span.endTimeMs - span.startTimeMs),
    status: { code: status.code, ...(status.message === undefined ? {} : { message: status.message }) },
    attributes: span.attributes,
    events: span.events.map(({ name, attributes, timeMs }) => ({ name, attributes, time: hrTimeOf(timeMs) })),
    links: [],
    ended: true,
    resource: RESOURCE,
    instrumentationScope: { name: span.scopeName },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function hrTimeOf(timeMs: number): HrTime {
  return [Math.floor(timeMs / 1000), Math.round((timeMs % 1000) * 1_000_000)];
}
