import type { ConversationSnapshot } from '@clew/contracts';
import { planSeed, readSamples } from '@clew/seed';
import type { ScriptedMessage } from '@clew/testing/dialects';

const STARTED_AT = 1_790_000_000_000;

/** Snapshots with the given number of messages, which the sample conversations provide one after the other. */
export function createSnapshots(count: number, messages: number): ConversationSnapshot[] {
  const samples = planSeed(readSamples(), STARTED_AT).map(({ script }) => script);
  return Array.from({ length: count }, (_, copy) => {
    const said: ScriptedMessage[] = [];
    for (let index = copy; said.length < messages; index += 1) {
      const script = samples[index % samples.length];
      const isFirst = said.length === 0;
      said.push(...(script?.messages ?? []).filter(({ role }) => isFirst || role !== 'system'));
    }
    return toSnapshot(said.slice(0, messages), copy);
  });
}

function toSnapshot(said: readonly ScriptedMessage[], copy: number): ConversationSnapshot {
  return {
    snapshotId: 'cesr_00000000000000000000000000',
    projectId: 'prj_00000000000000000000000000',
    conversationId: `conversation-${copy}`,
    contentHash: String(copy),
    revision: 1,
    scope: 'conversation',
    startedAt: STARTED_AT,
    throughMs: STARTED_AT + said.length * 1000,
    agents: ['assistant'],
    models: ['model'],
    userId: null,
    truncated: false,
    messages: said.map(({ toolCalls, isError, afterMs: _, ...message }, index) => ({
      ...message,
      ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call })) }),
      ...(isError === true ? { error: { type: 'tool_error', message: message.content } } : {}),
      index,
      traceId: 'a'.repeat(32),
      spanId: (index + 1).toString(16).padStart(16, '0'),
      atMs: STARTED_AT + index * 1000,
    })),
    tools: [],
    scores: [],
  };
}
