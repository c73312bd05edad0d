import type { SnapshotMessage } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import type { mongo } from 'mongoose';
import {
  conversationCollection,
  conversationKey,
  previewOf,
  termsOf,
  type ConversationDocument,
} from '../conversations/index.ts';
import {
  snapshotText,
  togetherRewritten,
  withoutWords,
  type HeldWords,
  type ReplacedWords,
  type SnapshotContent,
  type SnapshotWords,
  type WordsHead,
} from '../snapshots/index.ts';

/** Expired parts of a conversation's snapshots. */
export interface ExpiredWords {
  isExpired(message: SnapshotMessage): boolean;
  /** Time before which the comments of scores have expired, in Unix epoch milliseconds. */
  scoresBefore: number;
}

export interface ExpireWords {
  /** Removes the expired words of conversations from every snapshot; returns the number of snapshots changed. */
  ofConversations(projectId: string, conversationIds: readonly string[], expired: ExpiredWords): Promise<number>;
  /** Same for these snapshots alone. */
  ofSnapshots(projectId: string, snapshotIds: readonly string[], expired: ExpiredWords): Promise<number>;
}

const PAGE_SIZE = 200;
/**
 * Index hint: only this index groups snapshots by conversation, and some of the plans that the database would try take
 * too long.
 */
const BY_CONVERSATION = { projectId: 1, conversationId: 1, revision: -1 } as const;

/** Snapshot to be written, and the fields of its conversation that change if it is the latest. */
interface Rewritten extends ReplacedWords {
  left?: SnapshotContent;
  isChanged: boolean;
}

/**
 * Removes words for good. A process that has already read them, and is about to save a snapshot with them, finds that
 * the conversation's version has changed, and reads again.
 */
export function createExpireWords(database: Database, words: SnapshotWords): ExpireWords {
  const conversations = conversationCollection(database.connection);

  /** Rewrites many snapshots in one transaction of four commands: the commands take the time, not the rewriting. */
  async function expireSnapshots(
    projectId: string,
    heads: readonly WordsHead[],
    expired: ExpiredWords,
  ): Promise<number> {
    let changed = 0;
    for (const part of togetherRewritten(heads)) {
      changed += await database.withTransaction(async (tx) => {
        const rewritten: Rewritten[] = [];
        for await (const held of words.read(tx, part)) rewritten.push(...withoutExpired(held, expired));
        await words.replace(tx, rewritten);
        const shown = rewritten.flatMap((one) => showing(projectId, one));
        if (shown.length > 0) await conversations.bulkWrite(shown, { session: tx, ordered: false });
        return rewritten.filter(({ isChanged }) => isChanged).length;
      });
    }
    return changed;
  }

  return {
    async ofSnapshots(projectId, snapshotIds, expired) {
      const heads = await words.headsOf({ _id: { $in: [...snapshotIds] }, projectId }, { limit: snapshotIds.length });
      return await expireSnapshots(projectId, heads, expired);
    },
    async ofConversations(projectId, conversationIds, expired) {
      if (conversationIds.length === 0) return 0;
      const _id = { $in: conversationIds.map((id) => conversationKey(projectId, id)) };
      await conversations.updateMany({ _id }, { $inc: { version: 1 } });
      let [changed, after] = [0, ''];
      for (;;) {
        const page = await words.headsOf(
          { projectId, conversationId: { $in: [...conversationIds] }, expiredAt: null as never, _id: { $gt: after } },
          { sort: { _id: 1 }, limit: PAGE_SIZE, hint: BY_CONVERSATION },
        );
        changed += await expireSnapshots(projectId, page, expired);
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE_SIZE) return changed;
        after = last._id;
      }
    },
  };
}

/** Rewritten snapshot; empty if it needs no change. */
function withoutExpired({ head, text, content }: HeldWords, expired: ExpiredWords): Rewritten[] {
  // A part of the snapshot is gone: it has no words to remove, and is marked so that it is not read again.
  if (content === undefined) return [{ head, expiredAt: new Date(), isChanged: false }];
  const left = withoutWords(content, (message) => expired.isExpired(message), expired.scoresBefore);
  const isChanged = snapshotText(left) !== text;
  const isWordless = left.messages.every(({ textExpired }) => textExpired);
  if (!isChanged && !isWordless) return [];
  const expiredAt = isWordless ? { expiredAt: new Date() } : {};
  return [{ head, left, ...(isChanged ? { content: left } : {}), ...expiredAt, isChanged }];
}

/** Update of the preview and the search words from the messages that are left. */
function showing(projectId: string, { head, left }: Rewritten): mongo.AnyBulkWriteOperation<ConversationDocument>[] {
  if (left === undefined) return [];
  const spoken = left.messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const preview = previewOf(left.messages);
  const terms = termsOf(spoken.map(({ content }) => content));
  const filter = { _id: conversationKey(projectId, head.conversationId), snapshotId: head._id };
  return [{ updateOne: { filter, update: { $set: { preview, terms }, $inc: { version: 1 } } } }];
}
