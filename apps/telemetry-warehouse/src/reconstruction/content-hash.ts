import type { ConversationMessage } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { attachmentIdentity, canonicalText } from '../dialects/index.ts';
import { resultPositions } from './result-positions.ts';

type SaidMessage = Pick<ConversationMessage, 'role' | 'content' | 'toolCalls' | 'toolCallId' | 'attachments'>;

/**
 * The hash of what a conversation says: roles, texts, tool calls with their arguments, which call each result answers
 * (by position), and attachments by what they are. Ids, names, times, spans, models, errors and finish reasons do not
 * count, since dialects differ in them.
 */
export function contentHashOf(messages: readonly SaidMessage[]): string {
  const answers = resultPositions(messages);
  const said = messages.map(({ role, content, toolCalls, attachments }, index) => ({
    role,
    content,
    toolCalls: (toolCalls ?? []).map((call) => ({ name: call.name, arguments: call.arguments })),
    answers: answers[index] ?? null,
    attachments: (attachments ?? []).map(attachmentIdentity),
  }));
  return sha256Hex(canonicalText(said));
}
