import type { LogRecord, SpanRecord, TelemetryGroup } from '@clew/contracts';
import type { EncodedConversation, EncodedLog, EncodedSpan } from './scripted-conversation.ts';

const RESOURCE = { 'service.name': 'scripted-application', 'telemetry.sdk.name': 'opentelemetry' };

/** Converts the telemetry to the form that the warehouse receives from ingest. */
export function toTelemetryGroups({ spans, logs }: EncodedConversation): TelemetryGroup[] {
  const scopes = [...new Set([...spans, ...logs].map(({ scopeName }) => scopeName))];
  return scopes.map((scopeName) => ({
    resource: RESOURCE,
    scopeName,
    spans: spans.filter((span) => span.scopeName === scopeName).map(toSpanRecord),
    logs: logs.filter((log) => log.scopeName === scopeName).map(toLogRecord),
  }));
}

function toSpanRecord(span: EncodedSpan): SpanRecord {
  const { traceId, spanId, parentSpanId, name, kind, attributes, status } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: nanos(span.startTimeMs),
    endTimeUnixNano: nanos(span.endTimeMs),
    statusCode: status.code,
    ...(status.message === undefined || status.message === '' ? {} : { statusMessage: status.message }),
    attributes,
    events: span.events.map((event) => ({
      name: event.name,
      timeUnixNano: nanos(event.timeMs),
      attributes: event.attributes,
    })),
  };
}

function toLogRecord({ scopeName: _, ...log }: EncodedLog): LogRecord {
  return log;
}

function nanos(ms: number): string {
  return String(BigInt(ms) * 1_000_000n);
}

/** Encodes the spans as the JSON of an OTLP `ExportTraceServiceRequest`. */
export function toOtlpJson({ spans }: EncodedConversation): unknown {
  return {
    resourceSpans: byScope(spans).map(([scopeName, ofScope]) => ({
      resource: { attributes: keyValues(RESOURCE) },
      scopeSpans: [{ scope: { name: scopeName }, spans: ofScope.map(toOtlpSpan) }],
    })),
  };
}

/** Encodes the log records as the JSON of an OTLP `ExportLogsServiceRequest`. */
export function toOtlpLogsJson({ logs }: EncodedConversation): unknown {
  return {
    resourceLogs: byScope(logs).map(([scopeName, ofScope]) => ({
      resource: { attributes: keyValues(RESOURCE) },
      scopeLogs: [{ scope: { name: scopeName }, logRecords: ofScope.map(toOtlpLog) }],
    })),
  };
}

function byScope<Item extends { scopeName: string }>(items: readonly Item[]): [string, Item[]][] {
  return [...Map.groupBy(items, ({ scopeName }) => scopeName)];
}

function toOtlpSpan(span: EncodedSpan): unknown {
  const record = toSpanRecord(span);
  const { statusCode, statusMessage, attributes, events, ...fields } = record;
  return {
    ...fields,
    attributes: keyValues(attributes),
    events: events.map((event) => ({ ...event, attributes: keyValues(event.attributes) })),
    status: { code: statusCode, ...(statusMessage === undefined ? {} : { message: statusMessage }) },
  };
}

function toOtlpLog({ scopeName: _, attributes, body, ...log }: EncodedLog): unknown {
  return { ...log, attributes: keyValues(attributes), ...(body === null ? {} : { body: anyValue(body) }) };
}

function keyValues(values: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'object' && value !== null)
    return { kvlistValue: { values: keyValues(value as Record<string, unknown>) } };
  return {};
}
