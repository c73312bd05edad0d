import type { assembleConversation } from '../assembly/index.ts';
import { termsOf } from '../conversations/terms.ts';
import type { AssembledFields } from '../conversations/conversations.store.ts';

export type Assembled = ReturnType<typeof assembleConversation>;

const MAX_PREVIEW_CHARACTERS = 200;
const MAX_LISTED_TRACES = 100;
const MAX_NAMES = 50;

/** What a conversation's document says of an assembly; the snapshot that belongs to it is named apart. */
export function describeAssembled(
  assembled: Assembled,
): Omit<AssembledFields, 'snapshotId' | 'contentHash' | 'readyHash' | 'revision'> {
  const { messages, usage } = assembled;
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const firstWords = (messages.find(({ role, content }) => role === 'user' && content !== '') ?? messages[0])?.content;
  return {
    startedAt: assembled.startedAt,
    lastActivityAt: assembled.lastActivityAt,
    listed: true,
    spanCount: assembled.spanCount,
    messageCount: messages.length,
    errorCount: assembled.errorCount,
    agents: assembled.agents.slice(0, MAX_NAMES),
    models: assembled.models.slice(0, MAX_NAMES),
    userId: assembled.userId ?? null,
    usage: { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 },
    preview: (firstWords ?? '').slice(0, MAX_PREVIEW_CHARACTERS),
    traceIds: [...new Set(messages.map(({ traceId }) => traceId))].slice(0, MAX_LISTED_TRACES),
    terms: termsOf(spoken.map(({ content }) => content)),
  };
}
