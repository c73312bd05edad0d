import { conversationReady, type ConversationMessage } from '@clew/contracts';
import { derivedId, sha256Hex, type Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { ConversationDocument } from '../conversations/conversation.model.ts';
import type { ConversationStore } from '../conversations/conversations.store.ts';
import type { SnapshotHead } from '../snapshots/snapshot.model.ts';
import type { SnapshotStore } from '../snapshots/snapshots.store.ts';
import type { SpanStore } from '../spans/spans.store.ts';
import { assembleConversation } from '../assembly/index.ts';
import { describeAssembled, type Assembled } from './assembled.ts';
import { collectRecords } from './collect-records.ts';

export interface AssemblerDependencies {
  database: Database;
  spans: SpanStore;
  conversations: ConversationStore;
  snapshots: SnapshotStore;
  outbox: Outbox;
  clock: Clock;
}

export interface Assembler {
  /** The conversation as its spans say now; nothing is stored. */
  read(conversation: ConversationDocument): Promise<Assembled>;
  /** Assembles, stores the snapshot when the content is new, and announces that it is ready when `announce` is set. */
  assemble(conversation: ConversationDocument, announce: boolean): Promise<{ snapshotId: string | null }>;
}

const MAX_EVENT_TRACES = 100;

export function snapshotIdOf(projectId: string, conversationId: string, contentHash: string): string {
  return derivedId('cesr', projectId, conversationId, contentHash);
}

export function createAssembler(deps: AssemblerDependencies): Assembler {
  const { database, spans, conversations, snapshots, outbox, clock } = deps;

  async function read({ projectId, conversationId, implicit }: ConversationDocument): Promise<Assembled> {
    const records = await collectRecords(spans, projectId, conversationId, implicit);
    const assembled = assembleConversation(records);
    return { ...assembled, truncated: assembled.truncated || records.truncated };
  }

  /** Spans came that name a conversation: those of this trace went there, and this one ends. */
  async function passOn(conversation: ConversationDocument): Promise<boolean> {
    const { projectId, conversationId, implicit } = conversation;
    if (!implicit) return false;
    const links = await spans.conversationsOfTraces(projectId, [conversationId]);
    if (links.length === 0) return false;
    const { startedAt, lastActivityAt, listed } = conversation;
    await conversations.touch(
      links.map((link) => ({
        ...{ projectId, conversationId: link.conversationId, implicit: false },
        ...{ startedAt, lastActivityAt, listed },
      })),
      clock.now(),
    );
    return true;
  }

  return {
    read,
    async assemble(conversation, announce) {
      const movedAway = await passOn(conversation);
      const assembled = await read(conversation);
      const { projectId, conversationId, touches } = conversation;
      // A trace of plain spans holds no conversation, and no snapshot is made of nothing.
      const hasContent = assembled.messages.length > 0 || conversation.revision > 0;
      if (!hasContent) {
        const listed = conversation.listed && !movedAway;
        await database.withTransaction((tx) =>
          conversations.saveAssembled(tx, conversation, touches, {
            ...describeAssembled(assembled),
            ...{ listed, snapshotId: null, contentHash: null, readyHash: null, revision: 0 },
            ...(assembled.spanCount === 0
              ? { startedAt: conversation.startedAt, lastActivityAt: conversation.lastActivityAt }
              : {}),
          }),
        );
        return { snapshotId: null };
      }
      const { contentHash } = assembled;
      const snapshotId = snapshotIdOf(projectId, conversationId, contentHash);
      const changed = contentHash !== conversation.contentHash;
      const revision = conversation.revision + (changed ? 1 : 0);
      const head = headOf(conversation, assembled, revision);
      const chunkCount = changed ? await snapshots.writeContent(projectId, snapshotId, assembled) : 0;
      await database.withTransaction(async (tx) => {
        if (changed) {
          await snapshots.insert(tx, snapshotId, head, { messageCount: assembled.messages.length, chunkCount });
        }
        const isNews = announce && conversation.readyHash !== contentHash;
        if (isNews) await announceReady(tx, head, snapshotId, assembled.messages);
        await conversations.saveAssembled(tx, conversation, announce ? touches : -1, {
          ...describeAssembled(assembled),
          ...(assembled.messages.length === 0
            ? { listed: false, startedAt: conversation.startedAt, lastActivityAt: conversation.lastActivityAt }
            : {}),
          ...{ snapshotId, contentHash, revision },
          readyHash: isNews ? contentHash : conversation.readyHash,
        });
      });
      return { snapshotId };
    },
  };

  async function announceReady(
    tx: Transaction,
    head: SnapshotHead,
    snapshotId: string,
    messages: readonly ConversationMessage[],
  ): Promise<void> {
    const { projectId, conversationId, contentHash, revision, startedAt, throughMs } = head;
    await outbox.append(tx, conversationReady, {
      key: sha256Hex(`${projectId}:${conversationId}:${contentHash}`).slice(0, 40),
      projectId,
      requestId: null,
      occurredAt: clock.now(),
      data: {
        conversationId,
        snapshotId,
        contentHash,
        revision,
        startedAt,
        lastActivityAt: throughMs,
        messageCount: messages.length,
        traceIds: [...new Set(messages.map(({ traceId }) => traceId))].slice(0, MAX_EVENT_TRACES),
      },
    });
  }
}

function headOf(conversation: ConversationDocument, assembled: Assembled, revision: number): SnapshotHead {
  const { projectId, conversationId } = conversation;
  const empty = assembled.messages.length === 0;
  return {
    projectId,
    conversationId,
    contentHash: assembled.contentHash,
    revision,
    scope: 'conversation',
    startedAt: empty ? conversation.startedAt : assembled.startedAt,
    throughMs: empty ? conversation.lastActivityAt : assembled.lastActivityAt,
    agents: [...assembled.agents],
    models: [...assembled.models],
    userId: assembled.userId ?? null,
    truncated: assembled.truncated,
  };
}
