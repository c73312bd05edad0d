import { conversationReady } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { ClaimedRow, Database, Outbox, Transaction } from '@clew/persistence';
import type { ConversationStore, KnownConversation } from '../conversations/conversations.store.ts';
import type { SnapshotHead } from '../snapshots/snapshot.model.ts';
import type { SnapshotStore } from '../snapshots/snapshots.store.ts';
import { describeAssembled, tracesOf, type Assembled } from './assembled.ts';
import { evidenceOf, nextSnapshot } from './evidence.ts';
import type { ReadConversation } from './read-conversation.ts';
import type { TraceLayouts } from './trace-layouts.ts';

export interface AssemblerDependencies {
  database: Database;
  conversations: Pick<ConversationStore, 'get' | 'saveAssembled'>;
  snapshots: Pick<SnapshotStore, 'writeContent' | 'insert'>;
  outbox: Outbox;
  clock: Clock;
  readConversation: ReadConversation;
}

export interface Assembler {
  /** Assembles a conversation that was claimed as due, stores a snapshot where it has changed, and announces what is new. */
  settle(conversation: KnownConversation, claimed: ClaimedRow, layouts: TraceLayouts): Promise<void>;
  /** The snapshot of what a conversation says now, made where there is none; undefined where it says nothing. */
  snapshotNow(conversation: KnownConversation): Promise<string | undefined>;
}

/** Somebody else saved the conversation meanwhile. */
class OvertakenError extends Error {}

const MAX_EVENT_TRACES = 100;
const MAX_ATTEMPTS = 5;

/**
 * Turns what was read of conversations into snapshots. Several processes, and callers who cannot wait, may do so at
 * once: a save counts only when it began from the latest one, so that each revision is one snapshot. The state of the
 * conversation, the snapshot and its event are one transaction.
 */
export function createAssembler(dependencies: AssemblerDependencies): Assembler {
  const { database, conversations, snapshots, outbox, clock, readConversation } = dependencies;

  async function save(conversation: KnownConversation, assembled: Assembled, claimed: ClaimedRow | undefined) {
    const isSettled = claimed !== undefined;
    const evidence = evidenceOf(conversation, assembled);
    const next = nextSnapshot(conversation, evidence);
    const { snapshotId, contentHash } = next;
    const head: SnapshotHead = { ...evidence.head, revision: next.revision };
    const isNew = snapshotId !== null && next.revision > conversation.revision;
    if (!isNew && !isSettled) return snapshotId;
    const chunkCount = isNew ? await snapshots.writeContent(head.projectId, snapshotId, evidence.text) : 0;
    const fields = { ...describeAssembled(assembled, conversation), ...next };
    const isNews = contentHash !== null && contentHash !== conversation.readyHash;
    const readyHash = !isNews ? conversation.readyHash : isSettled ? contentHash : null;
    await database.withTransaction(async (tx) => {
      // First, so that the transaction is short where others touch the conversation.
      const isLatest = await conversations.saveAssembled(tx, conversation, { ...fields, readyHash }, claimed);
      if (!isLatest) throw new OvertakenError();
      if (isNew) await snapshots.insert(tx, snapshotId, head, { messageCount: assembled.messages.length, chunkCount });
      if (snapshotId !== null && isNews && isSettled) await announce(tx, snapshotId, head, assembled);
    });
    return snapshotId;
  }

  async function announce(
    tx: Transaction,
    snapshotId: string,
    head: SnapshotHead,
    assembled: Assembled,
  ): Promise<void> {
    const { projectId, conversationId, contentHash, revision, startedAt, throughMs } = head;
    await outbox.append(tx, conversationReady, {
      key: snapshotId,
      projectId,
      requestId: null,
      occurredAt: clock.now(),
      data: {
        ...{ conversationId, snapshotId, contentHash, revision, startedAt, lastActivityAt: throughMs },
        messageCount: assembled.messages.length,
        traceIds: tracesOf(assembled).slice(0, MAX_EVENT_TRACES),
      },
    });
  }

  /** Reads and saves, from the latest state where another save came first, as long as a claim holds. */
  async function readAndSave(conversation: KnownConversation, claimed?: ClaimedRow, layouts?: TraceLayouts) {
    let seen: KnownConversation | undefined = conversation;
    for (let attempt = 1; seen !== undefined; attempt += 1) {
      try {
        return await save(seen, await readConversation(seen, attempt === 1 ? layouts : undefined), claimed);
      } catch (error) {
        if (!(error instanceof OvertakenError) || attempt === MAX_ATTEMPTS) throw error;
      }
      seen = await conversations.get(conversation.projectId, conversation.conversationId);
      if (claimed !== undefined && seen?.claim !== claimed.claim) return seen?.snapshotId ?? null;
    }
    return null;
  }

  return {
    async settle(conversation, claimed, layouts) {
      await readAndSave(conversation, claimed, layouts);
    },
    async snapshotNow(conversation) {
      return (await readAndSave(conversation)) ?? undefined;
    },
  };
}
