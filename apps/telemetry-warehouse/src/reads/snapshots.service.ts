import { derivedId, sha256Hex, notFound } from '@clew/kernel';
import type { ConversationMessage, ConversationSnapshot, TelemetrySettings } from '@clew/contracts';
import { contentHashOf } from '@clew/conversation';
import type { ProjectSettings } from '@clew/persistence';
import type { KnownConversation } from '../conversations/index.ts';
import { scoredHashOf } from '../scores/index.ts';
import type { Assembler } from '../assembly/index.ts';
import { snapshotText, type SnapshotContent, type SnapshotHead, type SnapshotStore } from '../snapshots/index.ts';
import { conversationNotFound, type ConversationReader, type ConversationView } from './conversation-reader.ts';

export interface SnapshotsDependencies {
  snapshots: SnapshotStore;
  reader: ConversationReader;
  assembler: Pick<Assembler, 'snapshotNow'>;
  settings: Pick<ProjectSettings<TelemetrySettings>, 'get'>;
}

export interface SnapshotRequest {
  projectId: string;
  conversationId: string;
  /**
   * Inclusive end of the snapshot, in Unix epoch milliseconds; a time after the last activity means the whole
   * conversation.
   */
  throughMs: number;
  /** Traces to include; undefined or empty means all. */
  traceIds: readonly string[] | undefined;
}

export type SnapshotsService = ReturnType<typeof createSnapshotsService>;

export function createSnapshotsService({ snapshots, reader, assembler, settings }: SnapshotsDependencies) {
  /** Settings that a snapshot carries to its readers, as they are now; they are stored and hashed with none. */
  async function settingsInForce(projectId: string): Promise<Pick<ConversationSnapshot, 'successScores'>> {
    const { successScores } = await settings.get(projectId);
    return successScores.length === 0 ? {} : { successScores };
  }

  async function store(snapshotId: string, head: SnapshotHead, content: SnapshotContent): Promise<void> {
    const text = snapshotText(content);
    await snapshots.insertOnce(
      await snapshots.prepare({ snapshotId, head, messageCount: content.messages.length, text }),
    );
  }

  return {
    async read(projectId: string, snapshotId: string): Promise<ConversationSnapshot> {
      const [snapshot, inForce] = await Promise.all([
        snapshots.read(projectId, snapshotId),
        settingsInForce(projectId),
      ]);
      if (snapshot === undefined) throw notFound();
      return { ...snapshot, ...inForce };
    },

    async *readMany(projectId: string, snapshotIds: readonly string[]): AsyncGenerator<string> {
      yield* snapshots.readMany(projectId, snapshotIds, await settingsInForce(projectId));
    },

    /** Returns the id of a conversation's snapshot up to a time, and makes the snapshot if it does not exist yet. */
    async resolve({ projectId, conversationId, throughMs, traceIds = [] }: SnapshotRequest): Promise<string> {
      const conversation = await reader.require(projectId, conversationId);
      const view = await reader.view(conversation);
      const upTo = view.messages.filter(({ atMs }) => atMs <= throughMs);
      const wanted = new Set(traceIds);
      const messages = wanted.size === 0 ? upTo : upTo.filter(({ traceId }) => wanted.has(traceId));
      if (messages.length === 0) throw conversationNotFound();
      if (messages.length === view.messages.length) {
        const whole = view.snapshotId ?? (await assembler.snapshotNow(conversation));
        if (whole === undefined) throw conversationNotFound();
        return whole;
      }
      const isPrefix = messages.length === upTo.length;
      const scores = view.scores.filter(
        ({ createdAt, traceId }) =>
          createdAt <= throughMs && (isPrefix || traceId === undefined || wanted.has(traceId)),
      );
      const contentHash = scoredHashOf(contentHashOf(messages), scores);
      // The beginning of a conversation may once have been the whole of it, with a snapshot of its own.
      const known = isPrefix ? await snapshots.findByContent(projectId, conversationId, contentHash) : undefined;
      if (known !== undefined) return known;
      // With selected traces only, the same words may come from different traces.
      const scope = isPrefix ? 'prefix' : sha256Hex([...wanted].sort().join());
      const snapshotId = derivedId('cesr', projectId, conversationId, scope, contentHash);
      const head = partHead(conversation, view, messages, contentHash, isPrefix ? 'prefix' : 'traces');
      const numbered = messages.map((message, index) => ({ ...message, index }));
      await store(snapshotId, head, { messages: numbered, tools: view.tools, scores });
      return snapshotId;
    },
  };
}

function partHead(
  { projectId, conversationId, revision }: KnownConversation,
  view: ConversationView,
  messages: readonly ConversationMessage[],
  contentHash: string,
  scope: 'prefix' | 'traces',
): SnapshotHead {
  const { startedAt, agents, models, userId, truncated } = view;
  return {
    ...{ projectId, conversationId, contentHash, scope, startedAt, agents, models, userId, truncated },
    revision: Math.max(1, revision),
    throughMs: messages.reduce((latest, { atMs }) => Math.max(latest, atMs), 0),
  };
}
