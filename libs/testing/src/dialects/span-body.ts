import type { PlannedCall, PlannedMessage, PlannedTool, PlannedTurn } from './conversation-plan.ts';
import type { ContentMode, EncodedAttributes, EncodedEvent, ScriptedConversation } from './scripted-conversation.ts';

/** The part of a span that differs between dialects. */
export interface SpanBody {
  name: string;
  kind: number;
  attributes: EncodedAttributes;
  events?: EncodedEvent[];
  /** The events that are sent as log records, in order. */
  logs?: { eventName: string; attributes: Record<string, unknown>; body: unknown; atMs: number }[];
}

/** How one dialect tells the three kinds of spans. */
export interface DialectEncoder {
  scopeName: string;
  turn(script: ScriptedConversation, turn: PlannedTurn): SpanBody;
  call(script: ScriptedConversation, call: PlannedCall, content: ContentMode): SpanBody;
  tool(script: ScriptedConversation, tool: PlannedTool): SpanBody;
}

export const INTERNAL = 1;
export const CLIENT = 3;

/** Drops what is undefined, as SDKs do. */
export function attributesOf(values: Record<string, EncodedAttributes[string] | undefined>): EncodedAttributes {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as EncodedAttributes;
}

export function finishReasonOf(output: PlannedMessage): string {
  return output.finishReason ?? (output.toolCalls === undefined ? 'stop' : 'tool_calls');
}

/** Arguments as the JSON text that chat APIs have. */
export function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}

export function toolCallIdOf(message: PlannedMessage): string | undefined {
  return message.toolCallId ?? message.answers?.id;
}

/** A message in the form of the chat completions API. */
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

/** What a person asked, as one text; nothing where the model began. */
export function questionText(question: readonly PlannedMessage[]): string | undefined {
  return question.length === 0 ? undefined : question.map(({ content }) => content).join('\n');
}

/** A rough count: four characters a token. */
export function tokensOf(messages: readonly PlannedMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + message.content.length, 0) / 4);
}

/** What OpenTelemetry SDKs record when a function throws. */
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
