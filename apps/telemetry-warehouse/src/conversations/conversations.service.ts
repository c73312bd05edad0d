import type { Conversation, ConversationQuery, ConversationSummary, NewScore, Score } from '@clew/contracts';
import { AppError, newId, notFound, type Clock, type CursorCodec, type CursorScope } from '@clew/kernel';
import type { Assembler } from '../assembler/assembler.service.ts';
import { describeAssembled } from '../assembler/assembled.ts';
import type { ScoreStore } from '../scores/scores.store.ts';
import type { SnapshotStore } from '../snapshots/snapshots.store.ts';
import type { ConversationDocument } from './conversation.model.ts';
import type { ConversationStore } from './conversations.store.ts';
import { termsOf } from './terms.ts';

export interface ConversationsDependencies {
  conversations: ConversationStore;
  snapshots: SnapshotStore;
  scores: ScoreStore;
  assembler: Assembler;
  cursors: CursorCodec;
  clock: Clock;
}

export type ConversationsService = ReturnType<typeof createConversationsService>;

export function createConversationsService(deps: ConversationsDependencies) {
  const { conversations, snapshots, scores, assembler, cursors, clock } = deps;

  async function requireListed(projectId: string, conversationId: string): Promise<ConversationDocument> {
    const conversation = await conversations.get(projectId, conversationId);
    if (conversation?.listed !== true) throw conversationNotFound();
    return conversation;
  }

  /** What was assembled last, or what the spans say now where something has come since. */
  async function contentOf(conversation: ConversationDocument) {
    if (isReady(conversation) && conversation.snapshotId !== null) {
      const snapshot = await snapshots.read(conversation.projectId, conversation.snapshotId);
      if (snapshot !== undefined) return { summary: {}, ...snapshot, scores: [] };
    }
    const assembled = await assembler.read(conversation);
    const { terms: _terms, listed: _listed, ...summary } = describeAssembled(assembled);
    return { summary, ...assembled };
  }

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
      const conversation = await requireListed(projectId, conversationId);
      const { summary, messages, tools, truncated, scores: fromSpans } = await contentOf(conversation);
      const given = await scores.list(projectId, conversationId);
      return {
        ...summaryOf(conversation),
        ...summary,
        truncated,
        messages,
        tools,
        scores: [...fromSpans, ...given],
      };
    },

    async addScore(projectId: string, conversationId: string, body: NewScore): Promise<Score> {
      await requireListed(projectId, conversationId);
      const { name, value, traceId, comment, source } = body;
      const score: Score = {
        id: newId('scr'),
        ...{ name, value, source },
        ...(traceId === undefined ? {} : { traceId }),
        ...(comment === undefined ? {} : { comment }),
        createdAt: clock.now(),
      };
      await scores.insert(projectId, conversationId, score);
      return score;
    },

    setFindingCount: conversations.setFindingCount,
  };
}

function isReady({ touches, assembledTouches }: ConversationDocument): boolean {
  return touches === assembledTouches;
}

function summaryOf(conversation: ConversationDocument): ConversationSummary {
  const { startedAt, lastActivityAt, spanCount, messageCount, errorCount, findingCount } = conversation;
  const { agents, models, userId, usage, preview, snapshotId, contentHash, traceIds, projectId } = conversation;
  return {
    id: conversation.conversationId,
    projectId,
    state: isReady(conversation) && snapshotId !== null ? 'ready' : 'active',
    ...{ startedAt, lastActivityAt, spanCount, messageCount, errorCount, findingCount },
    ...{ agents, models, userId, usage, preview, snapshotId, contentHash, traceIds },
  };
}

export function conversationNotFound(): AppError {
  return notFound('CONVERSATION_NOT_FOUND', 'The conversation does not exist');
}
