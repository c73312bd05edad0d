import { encodeConversation, type EncodedSpan } from '@clew/testing/dialects';
import { planSeed, readSamples, toReadableSpan } from '@clew/seed';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';

/** OTLP requests ready to be sent, and their contents. */
export interface Workload {
  bodies: Uint8Array[];
  spanCount: number;
  lastTraceId: string;
}

/** Batch size of the batch processor of the official SDK. */
export const SPANS_PER_REQUEST = 512;

/** At least `wanted` spans of the sample conversations, each copy with new ids; encoded before the clock starts. */
export function createWorkload(wanted: number, seed: string): Workload {
  const spans = sampleSpans(wanted, seed);
  const bodies: Uint8Array[] = [];
  for (let start = 0; start < spans.length; start += SPANS_PER_REQUEST) {
    const body = ProtobufTraceSerializer.serializeRequest(spans.slice(start, start + SPANS_PER_REQUEST));
    if (body === undefined) throw new Error('The spans could not be encoded');
    bodies.push(body);
  }
  return { bodies, spanCount: spans.length, lastTraceId: spans.at(-1)?.spanContext().traceId ?? '' };
}

/** Same spans, as the official SDK hands them to an exporter. */
export function sampleSpans(wanted: number, seed: string): ReturnType<typeof toReadableSpan>[] {
  const spans: EncodedSpan[] = [];
  const planned = planSeed(readSamples(), Date.now());
  for (let copy = 0; spans.length < wanted; copy += 1) {
    for (const { script, ...options } of planned) {
      const conversationId = `${script.conversationId}-${seed}-${copy}`;
      const told = encodeConversation(
        { ...script, conversationId },
        { ...options, dialect: 'genai', idSeed: conversationId },
      );
      spans.push(...told.spans);
    }
  }
  return spans.map(toReadableSpan);
}
