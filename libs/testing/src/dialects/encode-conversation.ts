import { sha256Hex } from '@clew/kernel';
import { planConversation, type PlannedTurn } from './conversation-plan.ts';
import { genAiEncoder } from './genai-encoder.ts';
import { langfuseEncoder } from './langfuse-encoder.ts';
import { openInferenceEncoder } from './openinference-encoder.ts';
import type {
  Dialect,
  EncodedConversation,
  EncodedLog,
  EncodedSpan,
  EncodeOptions,
  ScriptedConversation,
} from './scripted-conversation.ts';
import type { DialectEncoder, SpanBody } from './span-body.ts';
import { traceloopEncoder } from './traceloop-encoder.ts';
import { vercelEncoder } from './vercel-encoder.ts';

const ENCODERS: Readonly<Record<Dialect, DialectEncoder>> = {
  genai: genAiEncoder,
  openinference: openInferenceEncoder,
  traceloop: traceloopEncoder,
  langfuse: langfuseEncoder,
  vercel: vercelEncoder,
};

const STATUS_UNSET = 0;
const STATUS_ERROR = 2;

interface Placing {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startMs: number;
  endMs: number;
  error?: string;
}

/**
 * Encodes the telemetry of a conversation as the instrumentations of a dialect emit it: a span for each turn (or one
 * for all), containing one for each model call and, optionally, for each tool run. The same script and options always
 * give the same telemetry.
 */
export function encodeConversation(script: ScriptedConversation, options: EncodeOptions): EncodedConversation {
  const { history = 'full', content = 'attributes', toolSpans = true, traces = 'one-per-turn' } = options;
  const encoder = ENCODERS[options.dialect];
  const planned = planConversation(script, { startMs: options.startMs, history, toolSpans });
  const turns = traces === 'single' ? [asOneTurn(planned)] : planned;
  const idOf = (...parts: readonly (string | number)[]): string =>
    sha256Hex(JSON.stringify([options.idSeed, script.conversationId, options.dialect, ...parts]));
  const encoded: EncodedConversation = { spans: [], logs: [] };
  turns.forEach((turn, turnIndex) => {
    const traceId = idOf('trace', turnIndex).slice(0, 32);
    const rootId = idOf('turn', turnIndex).slice(0, 16);
    const root = { traceId, spanId: rootId, startMs: turn.startMs, endMs: turn.endMs };
    add(encoded, encoder, encoder.turn(script, turn), root);
    turn.calls.forEach((call, index) => {
      const spanId = idOf('call', turnIndex, index).slice(0, 16);
      const body = encoder.call(script, call, content);
      add(encoded, encoder, body, { traceId, spanId, parentSpanId: rootId, startMs: call.startMs, endMs: call.endMs });
    });
    turn.tools.forEach((tool, index) => {
      const spanId = idOf('tool', turnIndex, index).slice(0, 16);
      const error = tool.result.isError === true ? { error: tool.result.content } : {};
      const place = { traceId, spanId, parentSpanId: rootId, startMs: tool.startMs, endMs: tool.endMs, ...error };
      add(encoded, encoder, encoder.tool(script, tool), place);
    });
  });
  return encoded;
}

function asOneTurn(turns: readonly PlannedTurn[]): PlannedTurn {
  const answer = turns.findLast((turn) => turn.answer !== undefined)?.answer;
  return {
    startMs: Math.min(...turns.map((turn) => turn.startMs)),
    endMs: Math.max(...turns.map((turn) => turn.endMs)),
    question: turns[0]?.question ?? [],
    ...(answer === undefined ? {} : { answer }),
    calls: turns.flatMap((turn) => turn.calls),
    tools: turns.flatMap((turn) => turn.tools),
  };
}

function add(encoded: EncodedConversation, encoder: DialectEncoder, body: SpanBody, placing: Placing): void {
  const { traceId, spanId, parentSpanId, startMs, endMs, error } = placing;
  const { scopeName } = encoder;
  const span: EncodedSpan = {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: body.name,
    kind: body.kind,
    startTimeMs: startMs,
    endTimeMs: endMs,
    attributes: body.attributes,
    events: body.events ?? [],
    status: error === undefined ? { code: STATUS_UNSET } : { code: STATUS_ERROR, message: error },
    scopeName,
  };
  encoded.spans.push(span);
  const logs = (body.logs ?? []).map(({ eventName, attributes, body: said, atMs }, index): EncodedLog => {
    // Log records are ordered only by time, so each is one nanosecond after the one before.
    const timeUnixNano = String(BigInt(atMs) * 1_000_000n + BigInt(index));
    return { traceId, spanId, eventName, timeUnixNano, attributes, body: said, scopeName };
  });
  encoded.logs.push(...logs);
}
