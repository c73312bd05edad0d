import type { SnapshotMessage, SnapshotScore, ToolDefinition } from '@clew/contracts';
import { createFairLimiter, notFound, type AppError } from '@clew/kernel';
import type { AssembledFields, ConversationStore, KnownConversation } from '../conversations/index.ts';
import { describeAssembled, isEmpty, readConversation, type ReadConversations } from '../assembly/index.ts';
import type { SnapshotStore } from '../snapshots/index.ts';
import type { MessageWindow } from './message-window.ts';

/** Current content of a conversation. */
export interface ConversationView {
  messages: SnapshotMessage[];
  tools: ToolDefinition[];
  scores: SnapshotScore[];
  agents: string[];
  models: string[];
  userId: string | null;
  startedAt: number;
  truncated: boolean;
  /** Snapshot with exactly this content; absent if records have arrived since. */
  snapshotId?: string;
  contentHash: string;
  /** Fields that are newer than the conversation's document. */
  summary: Partial<AssembledFields>;
}

export interface ConversationReader {
  /** Returns a conversation that callers may see; throws CONVERSATION_NOT_FOUND if there is none. */
  require(projectId: string, conversationId: string): Promise<KnownConversation>;
  /** Returns the latest snapshot, or an assembly of the current records if more have arrived since. */
  view(conversation: KnownConversation): Promise<ConversationView>;
  /** Returns some of the messages, and the hash of all content. */
  window(conversation: KnownConversation, window: MessageWindow): Promise<WindowView>;
}

/** Some messages of a conversation. */
export interface WindowView extends Pick<ConversationView, 'messages' | 'contentHash'> {
  from: number;
  /** Number of all messages. */
  messageCount: number;
}

export interface ConversationReaderDependencies {
  conversations: Pick<ConversationStore, 'get'>;
  snapshots: Pick<SnapshotStore, 'read' | 'readWindow'>;
  readConversations: ReadConversations;
}

/**
 * Number of conversations that are assembled for callers at a time; other callers wait. One project has at most all but
 * one of these places.
 */
const MAX_ASSEMBLED_AT_A_TIME = 4;

export function createConversationReader(dependencies: ConversationReaderDependencies): ConversationReader {
  const { conversations, snapshots, readConversations } = dependencies;
  const assembling = createFairLimiter({ places: MAX_ASSEMBLED_AT_A_TIME, share: MAX_ASSEMBLED_AT_A_TIME - 1 });
  const underWay = new Map<string, Promise<ConversationView>>();

  async function assembledView(conversation: KnownConversation): Promise<ConversationView> {
    const assembled = await assembling.run([conversation.projectId], () =>
      readConversation(readConversations, conversation),
    );
    // Its trace now names another conversation, and this one is about to be withdrawn.
    if (isEmpty(assembled)) throw conversationNotFound();
    const { terms: _terms, facets: _facets, ...summary } = describeAssembled(assembled, conversation);
    const { messages, tools, scores, agents, models, userId, startedAt, truncated, contentHash } = assembled;
    return { messages, tools, scores, agents, models, userId, startedAt, truncated, contentHash, summary };
  }

  /** Shares one assembly among callers that ask for the same conversation at the same time. */
  async function sharedView(conversation: KnownConversation): Promise<ConversationView> {
    const key = `${conversation._id}:${conversation.touches}`;
    const begun = underWay.get(key) ?? assembledView(conversation);
    underWay.set(key, begun);
    try {
      return await begun;
    } finally {
      underWay.delete(key);
    }
  }

  return {
    async require(projectId, conversationId) {
      const conversation = await conversations.get(projectId, conversationId);
      if (conversation?.listed !== true) throw conversationNotFound();
      return conversation;
    },
    async view(conversation) {
      const { projectId, snapshotId } = conversation;
      const snapshot = isReady(conversation) && snapshotId !== null && (await snapshots.read(projectId, snapshotId));
      return snapshot ? { ...snapshot, summary: {} } : await sharedView(conversation);
    },
    async window(conversation, { from, limit }) {
      const { projectId, snapshotId, contentHash, messageCount } = conversation;
      const isStored = isReady(conversation) && snapshotId !== null && contentHash !== null;
      const stored = isStored ? await snapshots.readWindow(projectId, snapshotId, { from, limit }) : undefined;
      if (stored !== undefined && contentHash !== null) return { contentHash, messageCount, from, messages: stored };
      const view = await sharedView(conversation);
      const messages = view.messages.slice(from, from + limit);
      return { contentHash: view.contentHash, messageCount: view.messages.length, from, messages };
    },
  };
}

/** Whether nothing has arrived since the last assembly, so that the snapshot, if there is one, is complete. */
export function isReady({ touches, assembledTouches }: KnownConversation): boolean {
  return touches === assembledTouches;
}

export function conversationNotFound(): AppError {
  return notFound('CONVERSATION_NOT_FOUND', 'The conversation does not exist');
}
