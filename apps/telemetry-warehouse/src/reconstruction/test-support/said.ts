import type { ConversationMessage } from '@clew/contracts';
import type { ScriptedConversation, ScriptedMessage, ScriptedToolCall } from '@clew/testing';

/** What a message says, without where and when. */
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

/** What a script says, with results that name no call given the first open call of the message before them. */
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

/** The value as JSON carries it: no negative zero, no undefined. */
function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
