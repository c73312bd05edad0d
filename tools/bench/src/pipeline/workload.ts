import {
  encodeConversation,
  toTelemetryGroups,
  type EncodedConversation,
  type ScriptedConversation,
} from '@clew/testing/dialects';
import { planSeed, readSamples, toReadableSpan, type PlannedConversation } from '@clew/seed';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { SPANS_PER_REQUEST } from '../ingest/workload.ts';

/** Conversations ready to be sent, encoded before the clock starts. */
export interface PipelineWorkload {
  bodies: Uint8Array[];
  conversationCount: number;
  spanCount: number;
  /** Bytes of the JSON text of all attributes. */
  attributeBytes: number;
  /** Spans as the warehouse receives them, one entry per conversation. */
  records: ReturnType<typeof toTelemetryGroups>[];
}

/** Shapes of the telemetry: one trace per conversation, one per turn, or one per turn with each span sent alone. */
export const SHAPES = ['trace', 'turns', 'spans'] as const;
export type Shape = (typeof SHAPES)[number];

const WORDS_EACH = 40;
/** Age of the first conversation: one begins after the other, as those that arrive while they are held. */
const BEGAN_AGO_MS = 1_800_000;
/** Share of conversations with a second topic, which makes about 14 spans per conversation on average. */
const LONG_EVERY = { count: 7, of: 20 };

/**
 * The sample conversations, each copy with its own words, ids and names, as an instrumentation in the GenAI dialect
 * sends them: each call with its whole history. The spans of several conversations share a request, as in an
 * application that serves many people at once.
 */
export function createPipelineWorkload(conversations: number, seed: string, shape: Shape = 'trace'): PipelineWorkload {
  const nowMs = Date.now();
  const planned = planSeed(readSamples(), nowMs);
  const encoded: EncodedConversation[] = Array.from({ length: conversations }, (_, index) => {
    const { script, ...options } = planned[index % planned.length] as (typeof planned)[number];
    const conversationId = `${seed}-${index}`;
    const startMs = nowMs - BEGAN_AGO_MS + index;
    const isLong = index % LONG_EVERY.of < LONG_EVERY.count;
    const said = isLong ? [...script.messages, ...goneOn(planned[(index + 7) % planned.length])] : script.messages;
    const messages = said.map((message) => ({ ...message, content: varied(message.content, index) }));
    return encodeConversation(
      { ...script, conversationId, messages },
      {
        ...{ ...options, startMs, dialect: 'genai', content: 'attributes', idSeed: conversationId },
        traces: shape === 'trace' ? 'single' : 'one-per-turn',
      },
    );
  });
  const spans = interleaved(encoded.map((one) => one.spans));
  const bodies: Uint8Array[] = [];
  const perRequest = shape === 'spans' ? 1 : SPANS_PER_REQUEST;
  for (let start = 0; start < spans.length; start += perRequest) {
    const body = ProtobufTraceSerializer.serializeRequest(
      spans.slice(start, start + perRequest).map((span) => toReadableSpan(span)),
    );
    if (body === undefined) throw new Error('The spans could not be encoded');
    bodies.push(body);
  }
  return {
    bodies,
    conversationCount: conversations,
    spanCount: spans.length,
    attributeBytes: spans.reduce((sum, { attributes }) => sum + Buffer.byteLength(JSON.stringify(attributes)), 0),
    records: encoded.map(toTelemetryGroups),
  };
}

/** Messages of another sample without its instructions, with renamed tool calls. */
function goneOn(planned: PlannedConversation | undefined): ScriptedConversation['messages'] {
  const spoken = planned?.script.messages.filter(({ role }) => role !== 'system') ?? [];
  return spoken.map((message) => ({
    ...message,
    ...(message.toolCallId === undefined ? {} : { toolCallId: `then-${message.toolCallId}` }),
    ...(message.toolCalls === undefined
      ? {}
      : { toolCalls: message.toolCalls.map((call) => ({ ...call, id: `then-${call.id}` })) }),
  }));
}

/** Varies a text by copy: identical texts would compress better than the words of real people. */
function varied(content: string, copy: number): string {
  if (content === '') return content;
  let state = (copy * 2_654_435_761) >>> 0;
  return content.replace(/\b[a-z]{5,}\b/g, (word) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % 10 === 0 ? `${word}${(state >>> 8) % WORDS_EACH}` : word;
  });
}

/** Number of conversations that are sent together, one span of each in turn. */
const AT_A_TIME = 20;

function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const items: Item[] = [];
  for (let start = 0; start < lists.length; start += AT_A_TIME) {
    const group = lists.slice(start, start + AT_A_TIME);
    const longest = Math.max(...group.map((list) => list.length));
    for (let index = 0; index < longest; index += 1) {
      for (const list of group) {
        const item = list[index];
        if (item !== undefined) items.push(item);
      }
    }
  }
  return items;
}
