import type { ConversationSnapshot, SnapshotScore, ToolDefinition } from '@clew/contracts';
import type { AssembledConversation } from '@clew/conversation';
import {
  facetsOf,
  histogramOf,
  previewOf,
  scoredValues,
  scoreMeanings,
  termsOf,
  type AssembledFields,
  type KnownConversation,
} from '../conversations/index.ts';
import type { Share } from './shared-calls.ts';

/** Conversation assembled from its current records and scores. */
export interface Assembled extends AssembledConversation {
  scores: SnapshotScore[];
  /** Hash of the messages' words; the content hash covers the scores too. */
  messagesHash: string;
  /** Latest snapshot; read if records from which it was made have expired. */
  earlier?: ConversationSnapshot | undefined;
  /** True if it contains a step of a chat; without steps and messages it is no conversation. */
  listed: boolean;
  /** True if its trace now names another conversation. */
  isHandedOver: boolean;
  sharedCalls: SharedCalls;
}

/** Calls of a conversation that other conversations hold too. */
export interface SharedCalls extends Pick<Share, 'lost' | 'taken'> {
  /** True if the content of some of its records has expired. */
  hasExpired: boolean;
}

const MAX_LISTED_TRACES = 100;
const MAX_NAMES = 50;
const MAX_TOOLS = 500;

type Described = Omit<
  AssembledFields,
  'snapshotId' | 'contentHash' | 'evidenceHash' | 'readyHash' | 'ready' | 'readyThroughMs' | 'revision'
>;

/** Fields of a conversation's document that an assembly sets; those of the snapshot are set separately. */
export function describeAssembled(assembled: Assembled, conversation: KnownConversation): Described {
  const { messages, usage } = assembled;
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  // A conversation that has lost everything to another one keeps its times, which determine its place in the list.
  const { startedAt, lastActivityAt } = isEmpty(assembled) ? conversation : assembled;
  const agents = assembled.agents.slice(0, MAX_NAMES);
  const models = assembled.models.slice(0, MAX_NAMES);
  const { userId, scores } = assembled;
  const facts = { agents, models, userId, tools: toolsCalledIn(messages), messageCount: messages.length };
  return {
    implicit: conversation.implicit && !assembled.isHandedOver,
    ...{ startedAt, lastActivityAt },
    listed: assembled.listed || messages.length > 0,
    spanCount: assembled.spanCount,
    messageCount: messages.length,
    messagesHash: assembled.messagesHash,
    errorCount: assembled.errorCount,
    ...{ agents, models, userId },
    hasError: assembled.errorCount > 0,
    facets: facetsOf({ ...facts, scores: scoreMeanings(scores) }),
    scored: scoredValues(scores),
    latency: histogramOf(callDurations(messages)),
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    contentCapture: messages.some(({ length }) => length !== undefined) ? 'structure' : 'full',
    preview: previewOf(messages),
    traceIds: tracesOf(assembled).slice(0, MAX_LISTED_TRACES),
    terms: termsOf(spoken.map(({ content }) => content)),
  };
}

/** Names of the tools that were called, or that answered. */
function toolsCalledIn(messages: Assembled['messages']): string[] {
  const names = new Set<string>();
  for (const { role, name, toolCalls } of messages) {
    if (role === 'tool' && name !== undefined) names.add(name);
    for (const call of toolCalls ?? []) names.add(call.name);
  }
  return [...names].slice(0, MAX_NAMES);
}

/** Durations of the model calls. */
function callDurations(messages: Assembled['messages']): number[] {
  return messages.flatMap(({ role, durationMs }) =>
    role === 'assistant' && durationMs !== undefined ? durationMs : [],
  );
}

/** Whether the conversation has no records left. */
export function isEmpty({ spanCount, messages }: Assembled): boolean {
  return spanCount === 0 && messages.length === 0;
}

/** Traces of its messages, in the order of the messages. */
export function tracesOf({ messages }: Pick<Assembled, 'messages'>): string[] {
  return [...new Set(messages.map(({ traceId }) => traceId))];
}

export function boundedTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.slice(0, MAX_TOOLS);
}
