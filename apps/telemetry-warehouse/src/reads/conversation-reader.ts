import type { SnapshotMessage, SnapshotScore, ToolDefinition } from '@clew/contracts';
import { createFairLimiter, notFound, type AppError } from '@clew/kernel';
import type { AssembledFields, ConversationStore, KnownConversation } from '../conversations/index.ts';
import { describeAssembled, isEmpty, readConversation, type ReadConversations } from '../settling/index.ts';
import type { SnapshotStore } from '../snapshots/index.ts';

/** What a conversation holds now. */
export interface ConversationView {
  messages: SnapshotMessage[];
  tools: ToolDefinition[];
  scores: SnapshotScore[];
  agents: string[];
  models: string[];
  userId: string | null;
  startedAt: number;
  truncated: boolean;
  /** The snapshot that holds just this; absent while something has come since. */
  snapshotId?: string;
  /** What its document does not say yet. */
  summary: Partial<AssembledFields>;
}

export interface ConversationReader {
  /** A conversation that is shown to callers; throws CONVERSATION_NOT_FOUND where there is none. */
  require(projectId: string, conversationId: string): Promise<KnownConversation>;
  /** Its latest snapshot, or what its records say now where something has come since. */
  view(conversation: KnownConversation): Promise<ConversationView>;
}

export interface ConversationReaderDependencies {
  conversations: Pick<ConversationStore, 'get'>;
  snapshots: Pick<SnapshotStore, 'read'>;
  readConversations: ReadConversations;
}

/** Callers who ask for conversations that have to be assembled for them wait for each other; of one project all but one. */
const MAX_ASSEMBLED_AT_A_TIME = 4;

export function createConversationReader(dependencies: ConversationReaderDependencies): ConversationReader {
  const { conversations, snapshots, readConversations } = dependencies;
  const assembling = createFairLimiter({ places: MAX_ASSEMBLED_AT_A_TIME, share: MAX_ASSEMBLED_AT_A_TIME - 1 });
  const underWay = new Map<string, Promise<ConversationView>>();

  async function assembledView(conversation: KnownConversation): Promise<ConversationView> {
    const assembled = await assembling.run([conversation.projectId], () =>
      readConversation(readConversations, conversation),
    );
    // Its trace names another conversation by now, and what it was is about to be withdrawn.
    if (isEmpty(assembled)) throw conversationNotFound();
    const { terms: _terms, ...summary } = describeAssembled(assembled, conversation);
    const { messages, tools, scores, agents, models, userId, startedAt, truncated } = assembled;
    return { messages, tools, scores, agents, models, userId, startedAt, truncated, summary };
  }

  /** Many who ask for the same at once get one answer. */
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
  };
}

/** Whether nothing has come since it was assembled: its snapshot, where anything was said, is all there is. */
export function isReady({ touches, assembledTouches }: KnownConversation): boolean {
  return touches === assembledTouches;
}

export function conversationNotFound(): AppError {
  return notFound('CONVERSATION_NOT_FOUND', 'The conversation does not exist');
}
