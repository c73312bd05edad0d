import type { ConversationMessage } from '@clew/contracts';
import {
  planConversation,
  tokensOf,
  type EncodeOptions,
  type ScriptedConversation,
  type ScriptedMessage,
  type ScriptedToolCall,
} from '@clew/testing';

/** Content of a message, without place and time. */
export type Said = Pick<ConversationMessage, 'role' | 'content'> & {
  toolCalls: { id?: string | undefined; name: string; arguments: unknown }[];
  toolCallId?: string | undefined;
};

export function saidIn(messages: readonly ConversationMessage[]): Said[] {
  return messages.map(({ role, content, toolCalls, toolCallId }) => ({
    role,
    content,
    toolCalls: toolCalls ?? [],
    toolCallId,
  }));
}

/** Content of a script; results that name no call are assigned to the first open call of the message before them. */
export function saidInScript({ messages }: ScriptedConversation): Said[] {
  let open: ScriptedToolCall[] = [];
  return messages.map((message) => {
    if (message.toolCalls !== undefined) open = [...message.toolCalls];
    return {
      role: message.role,
      content: message.content,
      toolCalls: (message.toolCalls ?? []).map((call) => ({ ...call, arguments: plainJson(call.arguments) })),
      toolCallId: message.role === 'tool' ? answeredId(message, open) : undefined,
    };
  });
}

function answeredId({ toolCallId }: ScriptedMessage, open: ScriptedToolCall[]): string | undefined {
  const at = toolCallId === undefined ? 0 : open.findIndex((call) => call.id === toolCallId);
  return open.splice(at, 1)[0]?.id ?? toolCallId;
}

/** Converts a value to plain JSON: no negative zero, no undefined. */
function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Facts about how a message was made. */
export type Made = Pick<ConversationMessage, 'model' | 'usage' | 'durationMs'>;

export function madeIn(messages: readonly ConversationMessage[]): Made[] {
  return messages.map(({ model, usage, durationMs }) => ({ model, usage, durationMs }));
}

/** Facts in the encoded telemetry of a script about how its messages were made, in the order of the script. */
export function madeInScript(script: ScriptedConversation, options: EncodeOptions): Made[] {
  const { startMs, history = 'full', toolSpans = true } = options;
  const turns = planConversation(script, { startMs, history, toolSpans });
  const unknown: Made = { model: undefined, usage: undefined, durationMs: undefined };
  const calls = turns.flatMap((turn) => turn.calls).filter((call) => call.output !== undefined);
  const tools = turns.flatMap((turn) => turn.tools);
  return script.messages.map((message) => {
    const call = message.role === 'assistant' ? calls.shift() : undefined;
    if (call?.output !== undefined) {
      const usage = { inputTokens: tokensOf([...call.system, ...call.input]), outputTokens: tokensOf([call.output]) };
      return { model: script.model, usage, durationMs: call.endMs - call.startMs };
    }
    const tool = message.role === 'tool' ? tools.shift() : undefined;
    return tool === undefined ? unknown : { ...unknown, durationMs: tool.endMs - tool.startMs };
  });
}
