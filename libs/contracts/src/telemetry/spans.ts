import { z } from 'zod';
import { JsonObject, SpanId, TraceId } from '../common/primitives.ts';

/** Nanoseconds since the Unix epoch, as decimal text: they do not fit in a JavaScript number. */
export const UnixNano = z.string().regex(/^\d{1,20}$/);

/** Attribute values as plain JSON: 64-bit integers beyond the safe range are text, bytes are base64 text. */
export const Attributes = JsonObject;

export const SpanEvent = z.object({ name: z.string(), timeUnixNano: UnixNano, attributes: Attributes });
export type SpanEvent = z.infer<typeof SpanEvent>;

export const SpanRecord = z.object({
  traceId: TraceId,
  spanId: SpanId,
  parentSpanId: SpanId.optional(),
  name: z.string(),
  kind: z.int().meta({ description: 'OTLP SpanKind: 0 unspecified, 1 internal, 2 server, 3 client, ...' }),
  startTimeUnixNano: UnixNano,
  endTimeUnixNano: UnixNano,
  statusCode: z.int().meta({ description: 'OTLP status: 0 unset, 1 ok, 2 error' }),
  statusMessage: z.string().optional(),
  attributes: Attributes,
  events: z.array(SpanEvent),
});
export type SpanRecord = z.infer<typeof SpanRecord>;

/** Log record that belongs to a span: GenAI instrumentations send content this way. */
export const LogRecord = z.object({
  traceId: TraceId,
  spanId: SpanId,
  eventName: z.string(),
  timeUnixNano: UnixNano,
  attributes: Attributes,
  body: z.unknown(),
});
export type LogRecord = z.infer<typeof LogRecord>;

/** Instrumentation scope of the spans that the inference endpoint records of its calls. */
export const ENDPOINT_SCOPE = 'clew.endpoint';

/** Attribute of these spans: the model as the caller named it. */
export const ASKED_MODEL_ATTRIBUTE = 'clew.request.model';

/** Records that share a resource and an instrumentation scope, as OTLP groups them. */
export const TelemetryGroup = z.object({
  resource: Attributes,
  scopeName: z.string(),
  spans: z.array(SpanRecord),
  logs: z.array(LogRecord),
});
export type TelemetryGroup = z.infer<typeof TelemetryGroup>;
