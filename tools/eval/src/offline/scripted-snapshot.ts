import type { ConversationSnapshot } from '@clew/contracts';
import type { ScriptedConversation } from '@clew/testing/dialects';

const STARTED_AT = 1_790_000_000_000;
const STEP_MS = 2000;

/** Snapshot that a scripted conversation would become in the system; ids and times are made up. */
export function snapshotOfScript(script: ScriptedConversation): ConversationSnapshot {
  const speakers = script.messages.flatMap(({ role, name }) =>
    role === 'assistant' && name !== undefined ? [name] : [],
  );
  const messages = script.messages.map(({ toolCalls, isError, afterMs: _, ...message }, index) => ({
    ...message,
    ...(toolCalls === undefined ? {} : { toolCalls: [...toolCalls] }),
    ...(isError === true ? { error: { type: 'tool_error', message: message.content } } : {}),
    index,
    traceId: 'a'.repeat(32),
    spanId: (index + 1).toString(16).padStart(16, '0'),
    atMs: STARTED_AT + index * STEP_MS,
  }));
  return {
    snapshotId: 'cesr_00000000000000000000000000',
    projectId: 'prj_00000000000000000000000000',
    conversationId: script.conversationId,
    contentHash: script.conversationId,
    revision: 1,
    scope: 'conversation',
    startedAt: STARTED_AT,
    throughMs: STARTED_AT + messages.length * STEP_MS,
    agents: script.agent === undefined ? [...new Set(speakers)] : [script.agent],
    models: [script.model],
    userId: script.userId ?? null,
    truncated: false,
    messages,
    tools: [...(script.tools ?? [])],
    scores: [],
  };
}
