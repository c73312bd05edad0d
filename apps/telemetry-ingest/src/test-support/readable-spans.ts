import { SpanKind, SpanStatusCode, TraceFlags, type Attributes, type HrTime } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

const RESOURCE = resourceFromAttributes({ 'service.name': 'support-bot', 'service.version': '1.4.2' });
const SCOPE = { name: 'opentelemetry.instrumentation.openai', version: '2.1.0' };

export interface SpanChanges {
  traceId?: string;
  spanId?: string;
  parentSpanId?: string;
  name?: string;
  kind?: SpanKind;
  startTime?: HrTime;
  endTime?: HrTime;
  status?: ReadableSpan['status'];
  attributes?: Attributes;
  events?: ReadableSpan['events'];
  resource?: ReadableSpan['resource'];
  scopeName?: string;
}

/** Span as the official SDK hands it to an exporter. */
export function readableSpan(index: number, changes: SpanChanges = {}): ReadableSpan {
  const traceId = changes.traceId ?? hexId(Math.floor(index / 8) + 1, 32);
  const context = (spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  const startTime = changes.startTime ?? [1_760_000_000 + index, 123_456_789];
  return {
    name: changes.name ?? 'chat gpt-5-mini',
    kind: changes.kind ?? SpanKind.CLIENT,
    spanContext: () => context(changes.spanId ?? hexId(index + 1, 16)),
    ...(changes.parentSpanId === undefined ? {} : { parentSpanContext: context(changes.parentSpanId) }),
    startTime,
    endTime: changes.endTime ?? [startTime[0] + 1, startTime[1]],
    status: changes.status ?? { code: SpanStatusCode.UNSET },
    attributes: changes.attributes ?? chatAttributes(index),
    links: [],
    events: changes.events ?? [],
    duration: [1, 0],
    ended: true,
    resource: changes.resource ?? RESOURCE,
    instrumentationScope: changes.scopeName === undefined ? SCOPE : { name: changes.scopeName },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Attributes of one model call: about 1.2 KB, mostly words, as in real ones. */
export function chatAttributes(index: number): Attributes {
  const question = `Where is my order ${4_000_000 + index}? ${words(index, 30)}`;
  const reply = `Order ${4_000_000 + index} left our warehouse on Monday. ${words(index + 1, 30)}`;
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.conversation.id': `conversation-${Math.floor(index / 8)}`,
    'gen_ai.request.model': 'gpt-5-mini',
    'gen_ai.response.model': 'gpt-5-mini-2026-08-07',
    'gen_ai.response.id': `chatcmpl-${hexId(index, 24)}`,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.request.temperature': 0.2,
    'gen_ai.usage.input_tokens': 812 + (index % 50),
    'gen_ai.usage.output_tokens': 64 + (index % 9),
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: reply }], finish_reason: 'stop' },
    ]),
  };
}

const WORDS =
  'parcel tracking number refund card shipping address warehouse carrier return label size blue jacket delivery tomorrow ' +
  'customer service agent please check again status page email invoice discount code expired winter shoes exchange';
const VOCABULARY = WORDS.split(' ');

/** Words in an order that does not repeat soon; the same for the same seed. */
function words(seed: number, count: number): string {
  let state = seed * 2_654_435_761 + 12_345;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return VOCABULARY[(state >>> 8) % VOCABULARY.length];
  };
  return Array.from({ length: count }, next).join(' ');
}

export function hexId(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
