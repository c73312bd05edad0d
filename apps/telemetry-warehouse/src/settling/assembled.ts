import type { ConversationSnapshot, SnapshotScore, ToolDefinition } from '@clew/contracts';
import type { AssembledConversation } from '@clew/conversation';
import { termsOf, type AssembledFields, type KnownConversation } from '../conversations/index.ts';
import type { Share } from './shared-calls.ts';

/** A conversation as its records, and the scores it was given, say now. */
export interface Assembled extends AssembledConversation {
  scores: SnapshotScore[];
  /** Of what the messages say; the content hash covers the scores too. */
  messagesHash: string;
  /** Its latest snapshot, which is read where records that it was made of have expired. */
  earlier?: ConversationSnapshot | undefined;
  /** A step of a chat is in it; what has neither one nor messages is no conversation. */
  listed: boolean;
  /** Its trace names another conversation by now. */
  isHandedOver: boolean;
  sharedCalls: SharedCalls;
}

/** What of its calls other conversations hold as well. */
export interface SharedCalls extends Pick<Share, 'lost' | 'taken'> {
  /** Of some of its records it is not known any more what they said. */
  hasExpired: boolean;
}

const MAX_PREVIEW_CHARACTERS = 200;
const MAX_LISTED_TRACES = 100;
const MAX_NAMES = 50;
const MAX_TOOLS = 500;

type Described = Omit<
  AssembledFields,
  'snapshotId' | 'contentHash' | 'evidenceHash' | 'readyHash' | 'ready' | 'readyThroughMs' | 'revision'
>;

/** What a conversation's document says of an assembly; the snapshot that belongs to it is named apart. */
export function describeAssembled(assembled: Assembled, conversation: KnownConversation): Described {
  const { messages, usage } = assembled;
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const firstWords = (messages.find(({ role, content }) => role === 'user' && content !== '') ?? messages[0])?.content;
  // A conversation that has lost everything to another one keeps its times, which are its place in the list.
  const { startedAt, lastActivityAt } = isEmpty(assembled) ? conversation : assembled;
  return {
    implicit: conversation.implicit && !assembled.isHandedOver,
    ...{ startedAt, lastActivityAt },
    listed: assembled.listed || messages.length > 0,
    spanCount: assembled.spanCount,
    messageCount: messages.length,
    messagesHash: assembled.messagesHash,
    errorCount: assembled.errorCount,
    agents: assembled.agents.slice(0, MAX_NAMES),
    models: assembled.models.slice(0, MAX_NAMES),
    userId: assembled.userId,
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    preview: (firstWords ?? '').slice(0, MAX_PREVIEW_CHARACTERS).toWellFormed(),
    traceIds: tracesOf(assembled).slice(0, MAX_LISTED_TRACES),
    terms: termsOf(spoken.map(({ content }) => content)),
  };
}

/** Whether no records are left of it. */
export function isEmpty({ spanCount, messages }: Assembled): boolean {
  return spanCount === 0 && messages.length === 0;
}

/** The traces that its messages come from, in the order of the messages. */
export function tracesOf({ messages }: Pick<Assembled, 'messages'>): string[] {
  return [...new Set(messages.map(({ traceId }) => traceId))];
}

export function boundedTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.slice(0, MAX_TOOLS);
}
