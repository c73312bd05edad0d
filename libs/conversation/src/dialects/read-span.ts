import type { LogRecord } from '@clew/contracts';
import { callSigns } from './call-signs.ts';
import { genAiEvents, readGenAiEvents, readScores, type GenAiEvent } from './genai-events.ts';
import { readGenAi } from './genai.ts';
import { readGenericContent } from './generic-content.ts';
import { readLangfuse } from './langfuse.ts';
import { readOpenInference } from './openinference.ts';
import { readError } from './span-error.ts';
import { spanFacts } from './span-facts.ts';
import type { ReadMessage, SpanContent, SpanFacts, SpanReading, StoredSpan } from './span-reading.ts';
import { readTraceloop } from './traceloop.ts';
import { withBoundedArguments } from './tool-values.ts';
import { identifier } from './values.ts';
import { readVercel } from './vercel.ts';

/**
 * Reads the whole content of a span, in any dialects. A span may carry several (a framework's attributes beside a
 * provider's, content in events): for each field, the first dialect that has it counts, those with the most structure
 * first. Total: no input makes it throw, and its work is linear in its input. `ownFacts` are passed by callers that
 * have them already.
 */
export function readSpan(
  span: StoredSpan,
  logs: readonly LogRecord[] = [],
  ownFacts = spanFacts(span, span.resource, span.scopeName),
): SpanReading {
  return withBoundedArguments(() => readingOf(span, logs, ownFacts));
}

function readingOf(span: StoredSpan, logs: readonly LogRecord[], ownFacts: SpanFacts): SpanReading {
  const { attributes } = span;
  const events = genAiEvents(span.events, logs);
  const known = factsWithEvents(ownFacts, events);
  const contents = contentsOf(span, known, events);
  // Instrumentations of a whole client report each of its requests as a model call, even the request for the list of
  // models.
  const facts: SpanFacts = contents.length === 0 ? { ...known, kind: 'other' } : known;
  const first = <Key extends keyof SpanContent>(key: Key): SpanContent[Key] | undefined =>
    contents.find((content) => content[key] !== undefined)?.[key];
  const input = first('input');
  const output = first('output');
  const { isCaptured, withContent } = captured(input, output);
  const error = readError(span);
  const tool = facts.kind === 'tool_call' ? first('tool') : undefined;
  const finishReason = first('finishReason');
  const { responseId, models } = callSigns(attributes);
  const previousResponseId = identifier(attributes['gen_ai.request.previous_response.id']);
  return {
    ...facts,
    system: first('system') ?? [],
    input: isCaptured ? withContent(input) : [],
    output: isCaptured ? withFinishReason(withContent(output), finishReason) : [],
    hasInput: isCaptured && input !== undefined,
    hasOutput: isCaptured && output !== undefined,
    ...(tool === undefined ? {} : { tool: { ...tool, name: tool.name === '' ? span.name : tool.name } }),
    toolDefinitions: first('toolDefinitions') ?? [],
    ...(error === undefined ? {} : { error }),
    scores: readScores(events),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(responseId === undefined ? {} : { responseId }),
    ...(previousResponseId === undefined ? {} : { previousResponseId }),
    modelNames: models,
    compacted:
      attributes['gen_ai.conversation.compacted'] === true || attributes['gen_ai.conversation.compacted'] === 'true',
  };
}

/** Makes a span with content events a model call, whether they came as log records or on the span itself. */
function factsWithEvents(facts: SpanFacts, events: readonly GenAiEvent[]): SpanFacts {
  if (facts.kind !== 'other' || facts.operation !== undefined) return facts;
  const isModelCall = events.some((event) => event.name !== 'gen_ai.evaluation.result');
  return isModelCall ? { ...facts, kind: 'model_call' } : facts;
}

/**
 * Collects the content of a span from each dialect, those with the most structure first; empty for a span without a
 * chat.
 */
function contentsOf(span: StoredSpan, { kind }: SpanFacts, events: readonly GenAiEvent[]): SpanContent[] {
  const { attributes } = span;
  const contents = [
    readGenAi(attributes),
    readVercel(attributes),
    readOpenInference(attributes),
    readTraceloop(attributes),
    readGenAiEvents(events),
    readLangfuse(attributes, span.name),
  ];
  // LangChain's Traceloop callbacks wrap values, also in the GenAI attributes; the Traceloop reader unwraps them.
  if (attributes['traceloop.span.kind'] === 'tool') contents.unshift(readTraceloop(attributes));
  if (kind !== 'agent' && kind !== 'model_call' && kind !== 'other') return contents;
  const isMissing = (key: 'input' | 'output'): boolean => contents.every((content) => content[key] === undefined);
  const wanted = { kind, input: isMissing('input'), output: isMissing('output') };
  const generic = readGenericContent(attributes, wanted);
  return generic === undefined ? [] : [...contents, generic];
}

/**
 * Determines whether content was captured. With capture off, instrumentations still name the messages. If no message
 * has content, nothing was captured; if some have, the others are empty.
 */
function captured(input: readonly ReadMessage[] | undefined, output: readonly ReadMessage[] | undefined) {
  const all = [...(input ?? []), ...(output ?? [])];
  return {
    isCaptured: all.length === 0 || all.some((message) => message.contentMissing !== true),
    withContent: (messages: readonly ReadMessage[] | undefined): ReadMessage[] =>
      (messages ?? []).map((message) => {
        if (message.contentMissing === undefined) return message;
        const { contentMissing: _, ...rest } = message;
        return rest;
      }),
  };
}

function withFinishReason(output: ReadMessage[], reason: string | undefined): ReadMessage[] {
  const last = output.at(-1);
  if (reason === undefined || last === undefined || last.role !== 'assistant' || last.finishReason !== undefined)
    return output;
  return [...output.slice(0, -1), { ...last, finishReason: reason }];
}
