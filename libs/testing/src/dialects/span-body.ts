import type { PlannedCall, PlannedMessage, PlannedTool, PlannedTurn } from './conversation-plan.ts';
import type { ContentMode, EncodedAttributes, EncodedEvent, ScriptedConversation } from './scripted-conversation.ts';

/** The part of a span that differs between dialects. */
export interface SpanBody {
  name: string;
  kind: number;
  attributes: EncodedAttributes;
  events?: EncodedEvent[];
  /** Events that are sent as log records, in order. */
  logs?: { eventName: string; attributes: Record<string, unknown>; body: unknown; atMs: number }[];
}

/** Encoder of the three kinds of spans in one dialect. */
export interface DialectEncoder {
  scopeName: string;
  turn(script: ScriptedConversation, turn: PlannedTurn): SpanBody;
  call(script: ScriptedConversation, call: PlannedCall, content: ContentMode): SpanBody;
  tool(script: ScriptedConversation, tool: PlannedTool): SpanBody;
}

export const INTERNAL = 1;
export const CLIENT = 3;

/** Removes undefined values, like SDKs do. */
export function attributesOf(values: Record<string, EncodedAttributes[string] | undefined>): EncodedAttributes {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as EncodedAttributes;
}

export function finishReasonOf(output: PlannedMessage): string {
  return output.finishReason ?? (output.toolCalls === undefined ? 'stop' : 'tool_calls');
}

/** Encodes arguments as JSON text, like chat APIs do. */
export function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

export function toolCallIdOf(message: PlannedMessage): string | undefined {
  return message.toolCallId ?? message.answers?.id;
}

/** Encodes a message in the form of the chat completions API. */
export function chatMessage(message: PlannedMessage): Record<string, unknown> {
  return {
    role: message.role,
    content: message.content,
    ...(message.toolCalls === undefined
      ? {}
      : {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: argumentsText(call.arguments) },
          })),
        }),
    ...(message.role === 'tool' && toolCallIdOf(message) !== undefined ? { tool_call_id: toolCallIdOf(message) } : {}),
    ...(message.name === undefined ? {} : { name: message.name }),
  };
}

/** Returns the user's question as one text; undefined if the model began. */
export function questionText(question: readonly PlannedMessage[]): string | undefined {
  return question.length === 0 ? undefined : question.map(({ content }) => content).join('\n');
}

/** Estimates tokens: four characters each. */
export function tokensOf(messages: readonly PlannedMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + message.content.length, 0) / 4);
}

/** Builds the event that OpenTelemetry SDKs record when a function throws. */
export function exceptionEvent(result: PlannedMessage): EncodedEvent[] {
  if (result.isError !== true) return [];
  return [
    {
      name: 'exception',
      timeMs: result.atMs,
      attributes: { 'exception.type': 'ToolError', 'exception.message': result.content },
    },
  ];
}
