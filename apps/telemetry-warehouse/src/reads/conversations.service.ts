import type {
  Conversation,
  ConversationCountQuery,
  ConversationQuery,
  ConversationSummary,
  NewScore,
  Score,
  TelemetrySettings,
} from '@clew/contracts';
import { newId, page, type Clock, type CursorCodec } from '@clew/kernel';
import type { Database, ProjectSettings, Transaction } from '@clew/persistence';
import type { Protector } from '@clew/privacy';
import {
  CONVERSATIONS,
  noConversations,
  scoreFilter,
  type ConversationFilter,
  type ConversationStore,
  type KnownConversation,
} from '../conversations/index.ts';
import type { PrivacyService } from '../privacy/index.ts';
import { joinedScores, type ScoreStore } from '../scores/index.ts';
import { shownMessage, shownScore } from '../snapshots/index.ts';
import { conversationNotFound, isReady, type ConversationReader } from './conversation-reader.ts';
import { windowOf, type WindowQuery } from './message-window.ts';

export interface ConversationsDependencies {
  database: Database;
  conversations: ConversationStore;
  scores: ScoreStore;
  reader: ConversationReader;
  settings: Pick<ProjectSettings<TelemetrySettings>, 'get'>;
  cursors: CursorCodec;
  clock: Clock;
  quietMs: number;
  /** Returns the protector of a project; undefined if nothing is masked or left out. */
  protectorOf: PrivacyService['protectorOf'];
}

/** Lengths of a score's texts, which a mask may lengthen. */
const MAX_COMMENT_LENGTH = 10_000;
const MAX_NAME_LENGTH = 200;
const MAX_VALUE_LENGTH = 1_000;

/** Stores the answer, in the transaction of the score. */
export type RecordScore = (tx: Transaction, score: Score) => Promise<void>;

export type ConversationsService = ReturnType<typeof createConversationsService>;

export function createConversationsService(dependencies: ConversationsDependencies) {
  const { database, conversations, scores, reader, settings, cursors, clock, quietMs, protectorOf } = dependencies;

  /** Filter with the score as the project means it; undefined if the score means nothing. */
  async function meantFilter(projectId: string, { score, ...filter }: Omit<ConversationQuery, 'limit' | 'cursor'>) {
    if (score === undefined) return filter satisfies ConversationFilter;
    const { successScores } = await settings.get(projectId);
    const meant = scoreFilter(score, successScores);
    return meant && ({ ...filter, score: meant } satisfies ConversationFilter);
  }

  return {
    async list(projectId: string, { limit, cursor, score, ...filter }: ConversationQuery) {
      const filters = { ...filter, score: score && `${score.name}:${score.meaning}` };
      const { items, nextCursor } = await page(
        cursors,
        CONVERSATIONS,
        { projectId, filters, limit, cursor },
        async (slice) => {
          const meant = await meantFilter(projectId, { ...filter, score });
          return meant === undefined
            ? { items: [], next: undefined }
            : await conversations.list(projectId, meant, slice);
        },
      );
      return { conversations: items.map(summaryOf), nextCursor };
    },

    async count(projectId: string, { by = [], ...filter }: ConversationCountQuery) {
      const meant = await meantFilter(projectId, filter);
      return meant === undefined ? noConversations(by) : await conversations.count(projectId, meant, by);
    },

    /** Reads a window of messages; without one if the caller knows that content already. */
    async messages(
      { projectId, conversationId }: { projectId: string; conversationId: string },
      wanted: WindowQuery,
      isKnown: (etag: string) => boolean,
    ) {
      const conversation = await reader.require(projectId, conversationId);
      const known = isReady(conversation) ? conversation.contentHash : null;
      if (known !== null && isKnown(etagOf(known))) return { etag: etagOf(known) };
      const { contentHash, messageCount, from, messages } = await reader.window(conversation, windowOf(wanted));
      const etag = etagOf(contentHash);
      if (isKnown(etag)) return { etag };
      return { etag, window: { contentHash, messageCount, from, messages: messages.map(shownMessage) } };
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
      const protector = await protectorOf(projectId);
      const { name, value, traceId, comment, source } =
        protector === undefined ? body : protectedScore(protector, body);
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

/** Takes out of a score what the project does not store: its name and value are words too, where they are not chosen. */
function protectedScore(protector: Protector, { comment, ...score }: NewScore): NewScore {
  const word = (text: string, maxLength: number) => (protector.text(text) ?? protector.id(text)).slice(0, maxLength);
  const kept = comment === undefined ? undefined : protector.text(comment)?.slice(0, MAX_COMMENT_LENGTH);
  return {
    ...score,
    name: word(score.name, MAX_NAME_LENGTH),
    value: typeof score.value === 'string' ? word(score.value, MAX_VALUE_LENGTH) : score.value,
    ...(kept === undefined ? {} : { comment: kept }),
  };
}

function summaryOf(conversation: KnownConversation): ConversationSummary {
  const { startedAt, lastActivityAt, spanCount, messageCount, errorCount, findingCount } = conversation;
  const { agents, models, userId, usage, preview, snapshotId, contentHash, traceIds, projectId } = conversation;
  const { contentCapture = 'full' } = conversation;
  return {
    id: conversation.conversationId,
    projectId,
    state: isReady(conversation) ? 'ready' : 'active',
    ...{ startedAt, lastActivityAt, spanCount, messageCount, errorCount, findingCount },
    ...{ agents, models, userId, usage, preview, snapshotId, contentHash, traceIds, contentCapture },
  };
}

/** Strong entity tag of what was said. */
function etagOf(contentHash: string): string {
  return `"${contentHash}"`;
}
