import { describe, expect, it } from '@jest/globals';
import type { HrTime } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import type { SpanRecord } from '@clew/contracts';
import { decode, DECODERS, withSpooled, type Decoded, type PlacedRecord } from '../test-support/decoding.ts';
import { exportedSpans } from '../test-support/exported-spans.ts';

/** Expected stored form of a span, computed from the SDK's span. */
function expected(span: ReadableSpan): PlacedRecord<SpanRecord> {
  const { traceId, spanId } = span.spanContext();
  const parentSpanId = span.parentSpanContext?.spanId;
  const { code, message } = span.status;
  return {
    resource: plain(span.resource.attributes),
    scopeName: span.instrumentationScope.name,
    record: {
      ...{ traceId, spanId, name: span.name, kind: span.kind + 1, statusCode: code },
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      ...(message === undefined || message === '' ? {} : { statusMessage: message }),
      startTimeUnixNano: nanos(span.startTime),
      endTimeUnixNano: nanos(span.endTime),
      attributes: plain(span.attributes),
      events: span.events.map((event) => ({
        name: event.name,
        timeUnixNano: nanos(event.time),
        attributes: plain(event.attributes ?? {}),
      })),
    },
  };
}

function nanos([seconds, rest]: HrTime): string {
  return (BigInt(seconds) * 1_000_000_000n + BigInt(rest)).toString();
}

/** Converts a value to plain JSON, with bytes as base64. */
function plain(value: unknown): SpanRecord['attributes'] {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Uint8Array ? Buffer.from(each).toString('base64') : each,
  );
  return JSON.parse(text) as SpanRecord['attributes'];
}

function expectSpans(decoded: Decoded, spans: readonly ReadableSpan[]): void {
  expect(decoded).toMatchObject({ rejectedCount: 0, reasons: '', logs: [] });
  expect(new Set(decoded.spans.map((each) => JSON.stringify(normal(each))))).toEqual(
    new Set(spans.map((span) => JSON.stringify(normal(expected(span))))),
  );
  expect(decoded.spans).toHaveLength(spans.length);
}

/** Sorts the keys of a value: the order of a record's fields has no meaning. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]): [string, unknown] => [key, normal(each)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe('any set of spans that the official SDK exports', () => {
  it('is decoded whole from protobuf, in memory and from a file', async () => {
    await fc.assert(
      fc.asyncProperty(exportedSpans, async (spans) => {
        const body = ProtobufTraceSerializer.serializeRequest(spans)!;
        const decoded = await decode(DECODERS.protobuf, body);
        expectSpans(decoded, spans);
        expect(await withSpooled(body, (spooled) => decode(DECODERS.protobuf, spooled))).toEqual(decoded);
      }),
      { numRuns: 150 },
    );
  });

  it('is decoded whole from JSON, parsed at once, read as a stream and from a file', async () => {
    await fc.assert(
      fc.asyncProperty(exportedSpans, async (spans) => {
        const body = JsonTraceSerializer.serializeRequest(spans)!;
        const decoded = await decode(DECODERS.json, body);
        expectSpans(decoded, spans);
        expect(await decode(DECODERS.streamedJson, body)).toEqual(decoded);
        expect(await withSpooled(body, (spooled) => decode(DECODERS.json, spooled))).toEqual(decoded);
      }),
      { numRuns: 150 },
    );
  });
});
