import { ENDPOINT_SCOPE } from '@clew/contracts';
import { encodeConversation, type EncodeOptions, type EncodedSpan, type ScriptedConversation } from '@clew/testing';
import type { StoredSpan } from '../../dialects/index.ts';
import { spanFacts } from '../../dialects/index.ts';
import { recordsOf, type Records } from './records.ts';

/** Telemetry of an application whose calls went through the endpoint, and the endpoint's records of them. */
export interface SeenTwice {
  application: Records;
  endpoint: Records;
}

export interface SeenTwiceOptions {
  /** Number of distinct ids from which the server draws the ids of its answers. */
  idCount: number;
  /** Whether the application records the ids. */
  hasIds: boolean;
  /** Whether the application records the content and the token counts. */
  hasContent: boolean;
  /** Milliseconds by which the endpoint's clock is ahead. */
  skewMs: number;
}

/** Removes the content from a span: only the attributes recorded with content capture off stay. */
function withoutContent({ traceId, spanId, parentSpanId, ...span }: StoredSpan): StoredSpan {
  const kept = ['gen_ai.operation.name', 'gen_ai.request.model', 'gen_ai.response.id'];
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([key]) => kept.includes(key)));
  return { ...span, traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }), attributes, events: [] };
}

/** Encodes a conversation as both sides record it; each call of the endpoint is a trace of its own. */
export function seenTwice(script: ScriptedConversation, encoding: EncodeOptions, options: SeenTwiceOptions): SeenTwice {
  const idOf = (index: number): string => `chatcmpl-${index % options.idCount}`;
  const application = recordsOf(encodeConversation(script, encoding));
  const isCall = (span: StoredSpan): boolean => spanFacts(span, {}, span.scopeName).kind === 'model_call';
  const asEndpoint = { ...encoding, dialect: 'genai', content: 'attributes', history: 'full' } as const;
  const endpointCalls = encodeConversation(script, asEndpoint).spans.filter(
    ({ attributes }: EncodedSpan) => attributes['gen_ai.operation.name'] === 'chat',
  );
  let count = -1;
  const spans = application.spans.map((span) => {
    if (!isCall(span)) return options.hasContent ? span : withoutContent(span);
    count += 1;
    const named = options.hasIds ? { 'gen_ai.response.id': idOf(count) } : {};
    const told = { ...span, attributes: { ...span.attributes, ...named } };
    return options.hasContent ? told : withoutContent(told);
  });
  const recorded = endpointCalls.flatMap((span, index) => {
    // The endpoint has an answer of every call that did not fail.
    if (span.attributes['gen_ai.output.messages'] === undefined) return [];
    const { parentSpanId: _, ...call } = span;
    const attributes = { ...span.attributes, 'gen_ai.response.id': idOf(index) };
    const [startTimeMs, endTimeMs] = [span.startTimeMs + options.skewMs, span.endTimeMs + options.skewMs];
    const traceId = span.spanId.padStart(32, 'e');
    return [{ ...call, traceId, startTimeMs, endTimeMs, scopeName: ENDPOINT_SCOPE, attributes }];
  });
  return {
    application: { spans, logs: options.hasContent ? application.logs : [] },
    endpoint: recordsOf({ spans: recorded, logs: [] }),
  };
}
