import type { ContentMode, Dialect, ScriptedConversation } from '@clew/testing/dialects';
import type { Sample } from './read-samples.ts';

/** Sample with its start time and dialect. */
export interface PlannedConversation {
  readonly script: ScriptedConversation;
  readonly dialect: Dialect;
  readonly content: ContentMode;
  readonly startMs: number;
  /** Seed of trace and span ids: the same value gives the same ids. */
  readonly idSeed: string;
}

const MINUTE_MS = 60_000;
/** Length of the period, before now, in which the conversations begin. */
const WINDOW_MS = 6 * 60 * MINUTE_MS;
/** Time since the end of the latest conversation, so that all of them are complete when they arrive. */
const QUIET_MS = 5 * MINUTE_MS;

/** Dialects of domains that do not use plain OpenTelemetry GenAI, but the output of other instrumentations. */
const DIALECT_OF_DOMAIN: Readonly<Record<string, { dialect: Dialect; content?: ContentMode }>> = {
  travel: { dialect: 'vercel' },
  'rag-search': { dialect: 'openinference' },
  hr: { dialect: 'langfuse' },
  research: { dialect: 'traceloop' },
  coding: { dialect: 'genai', content: 'span-events' },
};

/**
 * Places the samples in the hours before `nowMs`. Ids depend only on the sample and the day: sending the samples again
 * on the same day adds nothing, and on another day they are new conversations.
 */
export function planSeed(samples: readonly Sample[], nowMs: number): PlannedConversation[] {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return samples.map(({ domain, conversation }, index) => {
    const { id, title: _title, expectedFindings: _expected, teaches: _teaches, messages, ...described } = conversation;
    const durationMs = messages.reduce((sum, message) => sum + (message.afterMs ?? 0), 0);
    const latestStartMs = nowMs - QUIET_MS - durationMs;
    const spreadMs = Math.floor(((WINDOW_MS - QUIET_MS - durationMs) * index) / samples.length);
    return {
      script: { ...described, conversationId: `sample-${id}-${day}`, messages: messages.map(definedOnly) },
      dialect: DIALECT_OF_DOMAIN[domain]?.dialect ?? 'genai',
      content: DIALECT_OF_DOMAIN[domain]?.content ?? 'attributes',
      startMs: latestStartMs - spreadMs,
      idSeed: day,
    };
  });
}

type SampleMessage = Sample['conversation']['messages'][number];

/** Drops undefined optional fields of a parsed message: a script must not contain them. */
function definedOnly(message: SampleMessage): ScriptedConversation['messages'][number] {
  const { toolCalls, toolCallId, name, isError, finishReason, afterMs, ...said } = message;
  return {
    ...said,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { name }),
    ...(isError === undefined ? {} : { isError }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(afterMs === undefined ? {} : { afterMs }),
  };
}
