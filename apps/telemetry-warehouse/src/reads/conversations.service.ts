import type { Conversation, ConversationQuery, ConversationSummary, NewScore, Score } from '@clew/contracts';
import { newId, page, type Clock, type CursorCodec } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { CONVERSATIONS, type ConversationStore, type KnownConversation } from '../conversations/index.ts';
import { joinedScores, type ScoreStore } from '../scores/index.ts';
import { shownMessage, shownScore } from '../snapshots/index.ts';
import { conversationNotFound, isReady, type ConversationReader } from './conversation-reader.ts';

export interface ConversationsDependencies {
  database: Database;
  conversations: ConversationStore;
  scores: ScoreStore;
  reader: ConversationReader;
  cursors: CursorCodec;
  clock: Clock;
  quietMs: number;
}

/** Stores the answer, in the transaction of the score. */
export type RecordScore = (tx: Transaction, score: Score) => Promise<void>;

export type ConversationsService = ReturnType<typeof createConversationsService>;

export function createConversationsService(dependencies: ConversationsDependencies) {
  const { database, conversations, scores, reader, cursors, clock, quietMs } = dependencies;

  return {
    async list(projectId: string, { limit, cursor, ...filter }: ConversationQuery) {
      const request = { projectId, filters: filter, limit, cursor };
      const { items, nextCursor } = await page(cursors, CONVERSATIONS, request, (slice) =>
        conversations.list(projectId, filter, slice),
      );
      return { conversations: items.map(summaryOf), nextCursor };
    },

    async get(projectId: string, conversationId: string): Promise<Conversation> {
      const conversation = await reader.require(projectId, conversationId);
      const { summary, messages, tools, truncated, scores: known } = await reader.view(conversation);
      const given = await scores.list(projectId, conversationId);
      return {
        ...summaryOf({ ...conversation, ...summary }),
        ...{ truncated, messages: messages.map(shownMessage), tools },
        scores: joinedScores(known, given).map(shownScore),
      };
    },

    /** Records feedback; it makes the conversation ready again. */
    async addScore(projectId: string, conversationId: string, body: NewScore, record: RecordScore): Promise<Score> {
      const { name, value, traceId, comment, source } = body;
      const score: Score = {
        id: newId('scr'),
        ...{ name, value, source },
        ...(traceId === undefined ? {} : { traceId }),
        ...(comment === undefined ? {} : { comment }),
        createdAt: clock.now(),
      };
      await database.withTransaction(async (tx) => {
        const times = { receivedAt: score.createdAt, dueAt: clock.now() + quietMs };
        const exists = await conversations.touchKnown(tx, projectId, conversationId, times);
        if (!exists) throw conversationNotFound();
        await scores.insert(tx, projectId, conversationId, score);
        await record(tx, score);
      });
      return score;
    },
  };
}

function summaryOf(conversation: KnownConversation): ConversationSummary {
  const { startedAt, lastActivityAt, spanCount, messageCount, errorCount, findingCount } = conversation;
  const { agents, models, userId, usage, preview, snapshotId, contentHash, traceIds, projectId } = conversation;
  return {
    id: conversation.conversationId,
    projectId,
    state: isReady(conversation) ? 'ready' : 'active',
    ...{ startedAt, lastActivityAt, spanCount, messageCount, errorCount, findingCount },
    ...{ agents, models, userId, usage, preview, snapshotId, contentHash, traceIds },
  };
}
