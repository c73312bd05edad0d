import type { Conversation, ConversationQuery, ConversationSummary, NewScore, Score } from '@clew/contracts';
import { AppError, newId, type Clock, type CursorCodec, type CursorScope } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { joinedScores } from '../assembler/assembled.ts';
import type { ScoreStore } from '../scores/scores.store.ts';
import { conversationNotFound, isReady, type ConversationReader } from './conversation-reader.ts';
import type { ConversationStore, KnownConversation } from './conversations.store.ts';
import { termsOf } from './terms.ts';

export interface ConversationsDependencies {
  database: Database;
  conversations: ConversationStore;
  scores: ScoreStore;
  reader: ConversationReader;
  cursors: CursorCodec;
  clock: Clock;
  quietMs: number;
}

/** Keeps the answer, in the transaction of the score. */
export type RecordScore = (tx: Transaction, score: Score) => Promise<void>;

export type ConversationsService = ReturnType<typeof createConversationsService>;

export function createConversationsService(dependencies: ConversationsDependencies) {
  const { database, conversations, scores, reader, cursors, clock, quietMs } = dependencies;

  return {
    async list(projectId: string, { limit, cursor, ...filter }: ConversationQuery) {
      const scope: CursorScope = { list: 'conversations', projectId, filters: filter };
      const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
      if (cursor !== undefined && after === undefined) throw new AppError('INVALID_CURSOR', 'The cursor is not valid');
      // A search for what holds no word finds nothing.
      if (filter.q !== undefined && termsOf([filter.q]).length === 0) return { conversations: [], nextCursor: null };
      const found = await conversations.list(projectId, filter, { limit: limit + 1, after });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const more = found.length > limit && last !== undefined;
      return {
        conversations: page.map(summaryOf),
        nextCursor: more ? cursors.encode(scope, [last.startedAt, last._id]) : null,
      };
    },

    async get(projectId: string, conversationId: string): Promise<Conversation> {
      const conversation = await reader.require(projectId, conversationId);
      const { summary, messages, tools, truncated, scores: known } = await reader.view(conversation);
      const given = await scores.list(projectId, conversationId);
      return {
        ...summaryOf({ ...conversation, ...summary }),
        ...{ truncated, messages, tools, scores: joinedScores(known, given) },
      };
    },

    /** Records feedback; the conversation becomes ready again with it. */
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
        const exists = await conversations.touchKnown(tx, projectId, conversationId, clock.now() + quietMs);
        if (!exists) throw conversationNotFound();
        await scores.insert(tx, projectId, conversationId, score);
        await record(tx, score);
      });
      return score;
    },

    setFindingCount: conversations.setFindingCount,
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
