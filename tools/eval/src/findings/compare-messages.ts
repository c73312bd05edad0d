import type { ConversationMessage } from '@clew/contracts';
import { canonicalJson } from '@clew/kernel';
import type { ScriptedMessage } from '@clew/testing/dialects';

/** Whether the messages are those of the script: each once, in order, with tool calls and results. */
export function sameMessages(script: readonly ScriptedMessage[], messages: readonly ConversationMessage[]): boolean {
  return canonicalJson(script.map(said)) === canonicalJson(messages.map(said));
}

function said({
  role,
  content,
  toolCalls,
}: Pick<ScriptedMessage | ConversationMessage, 'role' | 'content' | 'toolCalls'>) {
  const calls = (toolCalls ?? []).map((call) => ({ name: call.name, arguments: call.arguments }));
  return { role, content, calls };
}
