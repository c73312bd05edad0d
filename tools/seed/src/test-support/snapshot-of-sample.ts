import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import type { SampleConversation } from '../sample-conversation.ts';

const STARTED_AT_MS = 1_790_000_000_000;

/** Snapshot of a sample, built directly: one trace, with one span per message. */
export function snapshotOfSample(sample: SampleConversation): ConversationSnapshot {
  let atMs = STARTED_AT_MS;
  const messages = sample.messages.map((message, index): ConversationMessage => {
    const { role, content, toolCalls, toolCallId, name, finishReason, isError, afterMs } = message;
    atMs += afterMs ?? 0;
    return {
      index,
      role,
      content,
      ...(toolCalls === undefined ? {} : { toolCalls }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(name === undefined ? {} : { name }),
      ...(finishReason === undefined ? {} : { finishReason }),
      ...(isError === undefined ? {} : { error: { type: 'ToolError', message: content } }),
      traceId: sha256Hex(sample.id).slice(0, 32),
      spanId: sha256Hex(`${sample.id}/${index}`).slice(0, 16),
      atMs,
    };
  });
  return {
    snapshotId: `cesr_${sample.id}`,
    projectId: 'prj_00000000000000000000000000',
    conversationId: sample.id,
    contentHash: sha256Hex(sample.id),
    revision: 1,
    scope: 'conversation',
    startedAt: STARTED_AT_MS,
    throughMs: atMs,
    agents: [sample.agent],
    models: [sample.model],
    userId: sample.userId,
    truncated: false,
    messages,
    tools: sample.tools,
    scores: [],
  };
}
