import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';

const STARTED_AT = 1_700_000_000_000;

/** Message of a test, without its place. */
export type MessageDraft = Pick<ConversationMessage, 'role' | 'content'> & Partial<ConversationMessage>;

/** Snapshot of a conversation with these messages. */
export function snapshotOf(
  messages: readonly MessageDraft[],
  agents: string[] = ['support-bot'],
): ConversationSnapshot {
  return {
    ...{ snapshotId: 'cesr_1', projectId: 'prj_1', conversationId: 'a chat', contentHash: 'hash', revision: 1 },
    ...{ scope: 'conversation', startedAt: STARTED_AT, throughMs: STARTED_AT + messages.length },
    ...{ agents, models: [], userId: null, truncated: false, tools: [], scores: [] },
    messages: messages.map((message, index) => ({
      ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), atMs: STARTED_AT + index * 1_000 },
      ...message,
      index,
    })),
  };
}

/** Conversation in which an assistant refunds another amount than the user agreed to. */
export function refundConversation(): ConversationSnapshot {
  return snapshotOf([
    { role: 'system', content: 'You are support-bot. Refund only what the customer agreed to.' },
    { role: 'user', content: 'Please refund the 20 euros that I paid too much.' },
    { role: 'assistant', content: '', toolCalls: [{ name: 'refund', arguments: { amount: 30 } }] },
    { role: 'tool', content: '{"status":"done","amount":30}', name: 'refund' },
    { role: 'assistant', content: 'I have refunded 20 euros to your card.' },
  ]);
}
