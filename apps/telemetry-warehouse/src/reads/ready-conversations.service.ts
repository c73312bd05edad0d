import type { ReadyConversationsQuery } from '@clew/contracts';
import { AppError, notFound, page, type CursorCodec } from '@clew/kernel';
import { READY_CONVERSATIONS, readySnapshotOf, type ReadyConversationStore } from '../conversations/index.ts';
import { isReady, type ConversationReader } from './conversation-reader.ts';

export interface ReadyConversationsDependencies {
  ready: ReadyConversationStore;
  reader: Pick<ConversationReader, 'require'>;
  cursors: CursorCodec;
}

export type ReadyConversationsService = ReturnType<typeof createReadyConversationsService>;

/** Conversations in the state in which they were last ready, for services that derive data from them. */
export function createReadyConversationsService({ ready, reader, cursors }: ReadyConversationsDependencies) {
  return {
    async list(projectId: string, { limit, cursor, ...window }: ReadyConversationsQuery) {
      const request = { projectId, filters: window, limit, cursor };
      const { items, nextCursor } = await page(cursors, READY_CONVERSATIONS[window.order], request, (slice) =>
        ready.list(projectId, window, slice),
      );
      return { conversations: items, nextCursor };
    },

    async get(projectId: string, conversationId: string) {
      const conversation = await reader.require(projectId, conversationId);
      const snapshot = readySnapshotOf(conversation);
      if (snapshot === undefined)
        throw new AppError('CONVERSATION_NOT_READY', 'The conversation has not been ready yet');
      return { ...snapshot, state: isReady(conversation) ? ('ready' as const) : ('active' as const) };
    },

    named: (projectId: string, conversationIds: readonly string[]) => ready.named(projectId, conversationIds),

    async latest(projectId: string) {
      const conversationId = await ready.latest(projectId);
      if (conversationId === undefined) throw notFound('CONVERSATION_NOT_FOUND', 'The project has no conversation');
      return { conversationId };
    },
  };
}
