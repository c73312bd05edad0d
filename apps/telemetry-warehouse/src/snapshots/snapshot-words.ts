import { setImmediate as othersTurn } from 'node:timers/promises';
import { inParts, readJson } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { mongo } from 'mongoose';
import { packed } from '../packing/index.ts';
import { snapshotChunkCollection, snapshotCollection, type SnapshotDocument } from './snapshot.model.ts';
import { snapshotText, type SnapshotContent } from './snapshot-content.ts';
import { chunkId, createContentReader, partsOf } from './snapshots.store.ts';

/** Head of a snapshot, without its content. */
export type WordsHead = Pick<SnapshotDocument, '_id' | 'conversationId' | 'chunkCount'> & {
  /** Size of its document in bytes. */
  bytes: number;
};

export interface HeldWords {
  head: WordsHead;
  /** `snapshotText` of its content, and the content; absent if a part of it is gone. */
  text?: string;
  content?: SnapshotContent;
}

/** New content for a snapshot. */
export interface ReplacedWords {
  head: WordsHead;
  /** Absent if the content stays as it is. */
  content?: SnapshotContent;
  /** Set if no words are left. */
  expiredAt?: Date;
}

/** Rewrites the words in stored snapshots, for retention and erasure; nothing else changes stored snapshots. */
export interface SnapshotWords {
  /** Returns the heads of snapshots that match a filter. */
  headsOf(
    filter: mongo.Filter<SnapshotDocument>,
    options: Pick<mongo.FindOptions, 'limit' | 'hint' | 'sort'>,
  ): Promise<WordsHead[]>;
  /**
   * Reads the contents of snapshots in one transaction, one after the other: one query, and one more for each that is
   * in chunks.
   */
  read(tx: Transaction, heads: readonly WordsHead[]): AsyncIterable<HeldWords>;
  /** Replaces the contents of snapshots: one command, and two more for each that is or was in chunks. */
  replace(tx: Transaction, replaced: readonly ReplacedWords[]): Promise<void>;
}

const MAX_BYTES_AT_A_TIME = 4 * 1024 * 1024;
const BYTES_OF_A_CHUNK = 8 * 1024 * 1024;
const HEAD = { conversationId: 1, chunkCount: 1, bytes: { $bsonSize: '$$ROOT' } } as const;

/** Groups snapshots that are rewritten together: as many as memory has room for, whatever they contain. */
export function togetherRewritten(heads: readonly WordsHead[]): WordsHead[][] {
  return inParts(heads, ({ bytes, chunkCount }) => bytes + chunkCount * BYTES_OF_A_CHUNK, MAX_BYTES_AT_A_TIME);
}

export function createSnapshotWords({ connection }: Database): SnapshotWords {
  const snapshots = snapshotCollection(connection);
  const chunks = snapshotChunkCollection(connection);
  const textOf = createContentReader(connection);

  /** Update that stores new content; large content goes into chunks, which are written here. */
  async function placed(tx: Transaction, { _id }: WordsHead, content: SnapshotContent) {
    const { inline, parts } = partsOf(await packed(snapshotText(content)));
    if (inline !== undefined) return { $set: { chunkCount: 0, content: new mongo.Binary(inline) } };
    const stored = await snapshots.findOne({ _id }, { projection: { projectId: 1, createdAt: 1 }, session: tx });
    if (stored === null) return undefined;
    const { projectId, createdAt } = stored;
    for (const [index, part] of parts.entries()) {
      const chunk = { _id: chunkId(_id, index), projectId, bytes: new mongo.Binary(part), createdAt };
      await chunks.insertOne(chunk, { session: tx });
    }
    return { $set: { chunkCount: parts.length }, $unset: { content: '' as const } };
  }

  async function updateOf(tx: Transaction, { head, content, expiredAt }: ReplacedWords) {
    const noted = expiredAt === undefined ? {} : { expiredAt };
    if (content === undefined) return { $set: noted };
    const old = Array.from({ length: head.chunkCount }, (_, index) => chunkId(head._id, index));
    if (old.length > 0) await chunks.deleteMany({ _id: { $in: old } }, { session: tx });
    const update = await placed(tx, head, content);
    return update && { ...update, $set: { ...update.$set, ...noted } };
  }

  return {
    async headsOf(filter, options) {
      return await snapshots.find<WordsHead>(filter, { ...options, projection: HEAD }).toArray();
    },
    async *read(tx, heads) {
      const byId = new Map(heads.map((head) => [head._id, head]));
      const options = { session: tx, batchSize: heads.length + 1 };
      for await (const document of snapshots.find({ _id: { $in: [...byId.keys()] } }, options)) {
        const head = byId.get(document._id);
        if (head === undefined) continue;
        // The number of chunks may have changed since the head was read.
        const now = { ...head, chunkCount: document.chunkCount };
        const text = await textOf(document, tx);
        yield text === undefined ? { head: now } : { head: now, text, content: readJson(text) as SnapshotContent };
        await othersTurn();
      }
    },
    async replace(tx, replaced) {
      const writes: mongo.AnyBulkWriteOperation<SnapshotDocument>[] = [];
      for (const one of replaced) {
        const update = await updateOf(tx, one);
        if (update) writes.push({ updateOne: { filter: { _id: one.head._id }, update } });
      }
      if (writes.length > 0) await snapshots.bulkWrite(writes, { session: tx, ordered: false });
    },
  };
}
