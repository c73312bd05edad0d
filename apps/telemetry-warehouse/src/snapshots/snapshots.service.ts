import { sha256Hex, notFound } from '@clew/kernel';
import type { ConversationSnapshot } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { snapshotIdOf, type Assembler } from '../assembler/assembler.service.ts';
import { contentHashOf } from '../assembly/index.ts';
import type { ConversationStore } from '../conversations/conversations.store.ts';
import { conversationNotFound } from '../conversations/conversations.service.ts';
import type { ScoreStore } from '../scores/scores.store.ts';
import type { SnapshotHead } from './snapshot.model.ts';
import type { SnapshotStore } from './snapshots.store.ts';

export interface SnapshotsDependencies {
  database: Database;
  conversations: ConversationStore;
  snapshots: SnapshotStore;
  scores: ScoreStore;
  assembler: Assembler;
}

export interface SnapshotRequest {
  projectId: string;
  conversationId: string;
  /** Up to and including; a later time than anything seen means the whole conversation. */
  throughMs: number;
  traceIds: readonly string[] | undefined;
}

export type SnapshotsService = ReturnType<typeof createSnapshotsService>;

export function createSnapshotsService(deps: SnapshotsDependencies) {
  const { database, conversations, snapshots, scores, assembler } = deps;

  return {
    async read(projectId: string, snapshotId: string): Promise<ConversationSnapshot> {
      const snapshot = await snapshots.read(projectId, snapshotId);
      if (snapshot === undefined) throw notFound();
      return { ...snapshot, scores: await scores.list(projectId, snapshot.conversationId) };
    },

    /** Names the snapshot of a conversation up to a time, and makes it where it does not exist yet. */
    async resolve({ projectId, conversationId, throughMs, traceIds }: SnapshotRequest): Promise<string> {
      const conversation = await conversations.get(projectId, conversationId);
      if (conversation?.listed !== true) throw conversationNotFound();
      const assembled = await assembler.read(conversation);
      const wanted = traceIds === undefined ? undefined : new Set(traceIds);
      const upTo = assembled.messages.filter(({ atMs }) => atMs <= throughMs);
      const messages = upTo.filter(({ traceId }) => wanted?.has(traceId) ?? true);
      if (messages.length === 0) throw conversationNotFound();
      if (messages.length === assembled.messages.length) {
        const { snapshotId } = await assembler.assemble(conversation, false);
        if (snapshotId === null) throw conversationNotFound();
        return snapshotId;
      }
      const scope = messages.length === upTo.length ? 'prefix' : 'traces';
      const contentHash = contentHashOf(messages);
      // Where only some traces were asked for, the same words may come from other ones.
      const identity =
        scope === 'prefix' ? contentHash : sha256Hex(`${contentHash}:${[...(wanted ?? [])].sort().join()}`);
      const snapshotId = snapshotIdOf(projectId, conversationId, identity);
      if (await snapshots.exists(snapshotId)) return snapshotId;
      const head: SnapshotHead = {
        ...{ projectId, conversationId, contentHash, scope },
        revision: Math.max(1, conversation.revision),
        startedAt: assembled.startedAt,
        throughMs: Math.max(...messages.map(({ atMs }) => atMs)),
        agents: [...assembled.agents],
        models: [...assembled.models],
        userId: assembled.userId ?? null,
        truncated: assembled.truncated,
      };
      const content = { messages: messages.map((message, index) => ({ ...message, index })), tools: assembled.tools };
      const chunkCount = await snapshots.writeContent(projectId, snapshotId, content);
      await database.withTransaction((tx) =>
        snapshots.insert(tx, snapshotId, head, { messageCount: messages.length, chunkCount }),
      );
      return snapshotId;
    },
  };
}
