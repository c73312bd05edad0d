import type { PlannedCall, PlannedMessage } from './conversation-plan.ts';
import type { EncodedEvent } from './scripted-conversation.ts';
import { argumentsText, finishReasonOf, toolCallIdOf, type SpanBody } from './span-body.ts';

const SYSTEM = { 'gen_ai.system': 'openai' };

function toolCalls(message: PlannedMessage): unknown[] | undefined {
  return message.toolCalls?.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments) },
  }));
}

function bodyOf(message: PlannedMessage): Record<string, unknown> {
  const calls = toolCalls(message);
  const id = message.role === 'tool' ? toolCallIdOf(message) : undefined;
  return {
    content: message.content,
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...(id === undefined ? {} : { id }),
    ...(message.name === undefined ? {} : { name: message.name }),
  };
}

function choiceOf(output: PlannedMessage): Record<string, unknown> {
  const calls = toolCalls(output);
  const message = { role: 'assistant', content: output.content, ...(calls === undefined ? {} : { tool_calls: calls }) };
  return { index: 0, finish_reason: finishReasonOf(output), message };
}

/** Flattens the attributes of a span event, which cannot nest: structure becomes JSON text. */
function flat(body: Record<string, unknown>): EncodedEvent['attributes'] {
  const entries = Object.entries(body).map(([key, value]) => [
    key,
    typeof value === 'object' ? JSON.stringify(value) : value,
  ]);
  return { ...SYSTEM, ...Object.fromEntries(entries) } as EncodedEvent['attributes'];
}

/** Builds one event per message (`gen_ai.user.message`, `gen_ai.choice`), on the span and as log records. */
export function genAiEvents(call: PlannedCall): { onSpan: EncodedEvent[]; asLogs: NonNullable<SpanBody['logs']> } {
  const inputs = [...call.system, ...call.input].map((message) => ({
    name: `gen_ai.${message.role}.message`,
    body: bodyOf(message),
    timeMs: call.startMs,
  }));
  const outputs =
    call.output === undefined ? [] : [{ name: 'gen_ai.choice', body: choiceOf(call.output), timeMs: call.endMs }];
  const events = [...inputs, ...outputs];
  return {
    onSpan: events.map(({ name, body, timeMs }) => ({ name, timeMs, attributes: flat(body) })),
    asLogs: events.map(({ name, body, timeMs }) => ({ eventName: name, attributes: SYSTEM, body, atMs: timeMs })),
  };
}
