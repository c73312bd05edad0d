import { readJson } from '@clew/kernel';
import { mongo, type Connection } from 'mongoose';
import type { ConversationSnapshot, SnapshotMessage } from '@clew/contracts';
import { insertNew, type Database, type Transaction } from '@clew/persistence';
import { packed, unpacked, unpackedParts } from '../packing/index.ts';
import {
  snapshotChunkCollection,
  snapshotCollection,
  type SnapshotDocument,
  type SnapshotHead,
} from './snapshot.model.ts';
import { messagesInText } from './messages-in-text.ts';
import type { SnapshotContent } from './snapshot-content.ts';

/** Snapshot that is to be stored. */
export interface NewSnapshot {
  snapshotId: string;
  head: SnapshotHead;
  messageCount: number;
  /** `snapshotText` of its content. */
  text: string;
}

export interface SnapshotStore {
  /**
   * Builds the document of a snapshot. Large content is stored right away in chunks, apart from the document; safe to
   * repeat.
   */
  prepare(snapshot: NewSnapshot): Promise<SnapshotDocument>;
  /** Inserts snapshots that do not exist yet. */
  insert(tx: Transaction, documents: readonly SnapshotDocument[]): Promise<void>;
  /** Inserts a snapshot; an existing one stays as it is. */
  insertOnce(document: SnapshotDocument): Promise<void>;
  read(projectId: string, snapshotId: string): Promise<ConversationSnapshot | undefined>;
  /** Reads some messages of a snapshot; the text after them is not unpacked. */
  readWindow(
    projectId: string,
    snapshotId: string,
    window: { from: number; limit: number },
  ): Promise<SnapshotMessage[] | undefined>;
  /**
   * Yields the existing snapshots as JSON texts, in the order of their ids: one query for all of them, and one more for
   * each that is large. Memory holds little more than the current one. Each has the fields `added` for its readers.
   */
  readMany(projectId: string, snapshotIds: readonly string[], added?: object): AsyncIterable<string>;
  /** Finds the latest snapshot with this content that starts at the beginning of the conversation. */
  findByContent(projectId: string, conversationId: string, contentHash: string): Promise<string | undefined>;
}

/** Content of a snapshot as it is stored. */
type PackedSnapshot = Pick<SnapshotDocument, '_id' | 'content' | 'chunkCount'>;

/** Error: a part of a snapshot is gone. */
class MissingChunkError extends Error {}

/** Maximum content in the document itself: more would slow down readers that need only the head. */
const MAX_CONTENT_BYTES = 1024 * 1024;
const MAX_CHUNK_BYTES = 8 * 1024 * 1024;

export function createSnapshotStore({ connection }: Database): SnapshotStore {
  const snapshots = snapshotCollection(connection);
  const chunks = snapshotChunkCollection(connection);

  const textOf = createContentReader(connection);

  /** Yields the packed content of a snapshot, one chunk after the other. */
  async function* packedParts({ _id, content, chunkCount }: PackedSnapshot): AsyncGenerator<Uint8Array, undefined> {
    if (content !== undefined) yield content.value();
    for (let index = 0; index < chunkCount; index += 1) {
      const chunk = await chunks.findOne({ _id: chunkId(_id, index) });
      if (chunk === null) throw new MissingChunkError();
      yield chunk.bytes.value();
    }
  }

  return {
    async prepare({ snapshotId, head, messageCount, text }) {
      const createdAt = new Date();
      const document = { _id: snapshotId, ...head, messageCount, chunkCount: 0, createdAt };
      const { inline, parts } = partsOf(await packed(text));
      if (inline !== undefined) return { ...document, content: new mongo.Binary(inline) };
      for (const [index, part] of parts.entries()) {
        const bytes = new mongo.Binary(part);
        await insertNew(chunks, [{ _id: chunkId(snapshotId, index), projectId: head.projectId, bytes, createdAt }]);
      }
      return { ...document, chunkCount: parts.length };
    },
    async insert(tx, documents) {
      if (documents.length > 0) await snapshots.insertMany([...documents], { session: tx });
    },
    async insertOnce(document) {
      await insertNew(snapshots, [document]);
    },
    async read(projectId, snapshotId) {
      const document = await snapshots.findOne({ _id: snapshotId, projectId });
      const text = document === null ? undefined : await textOf(document);
      if (document === null || text === undefined) return undefined;
      return { ...headOf(document), ...(readJson(text) as SnapshotContent) };
    },
    async readWindow(projectId, snapshotId, window) {
      const options = { projection: { content: 1, chunkCount: 1 } };
      const document = await snapshots.findOne({ _id: snapshotId, projectId }, options);
      if (document === null) return undefined;
      try {
        return await messagesInText(unpackedParts(packedParts(document)), window);
      } catch (error) {
        if (error instanceof MissingChunkError) return undefined;
        throw error;
      }
    },
    async *readMany(projectId, snapshotIds, added = {}) {
      for await (const document of snapshots.find(
        { _id: { $in: [...snapshotIds] }, projectId },
        { sort: { _id: 1 } },
      )) {
        const text = await textOf(document);
        if (text !== undefined) yield snapshotJson({ ...headOf(document), ...added }, text);
      }
    },
    async findByContent(projectId, conversationId, contentHash) {
      const found = await snapshots.findOne(
        { projectId, conversationId, contentHash, scope: { $ne: 'traces' } },
        { projection: { _id: 1 }, sort: { revision: -1 } },
      );
      return found?._id;
    },
  };
}

/** Creates a function that reads the JSON text of a `SnapshotContent`; it resolves with undefined if a part is gone. */
export function createContentReader(connection: Connection) {
  const chunks = snapshotChunkCollection(connection);
  return async function textOf(document: SnapshotDocument, tx?: Transaction): Promise<string | undefined> {
    const { _id, content, chunkCount } = document;
    if (content !== undefined) return await unpacked(content.value());
    const ids = Array.from({ length: chunkCount }, (_, index) => chunkId(_id, index));
    const options = { sort: { _id: 1 }, ...(tx === undefined ? {} : { session: tx }) } as const;
    const parts = await chunks.find({ _id: { $in: ids } }, options).toArray();
    if (parts.length < chunkCount) return undefined;
    return await unpacked(Buffer.concat(parts.map(({ bytes }) => bytes.value())));
  };
}

function headOf(document: SnapshotDocument) {
  const { _id, messageCount: _count, content: _content, chunkCount: _chunks, ...rest } = document;
  const { createdAt: _at, expiredAt: _expired, ...head } = rest;
  return { snapshotId: _id, ...head };
}

/** Joins two JSON objects as texts, since parsing would cost more than everything else here. */
function snapshotJson(head: object, content: string): string {
  return `${JSON.stringify(head).slice(0, -1)},${content.slice(1)}`;
}

/** Splits packed content for storage: in the snapshot's document, or in chunks apart from it. */
export function partsOf(bytes: Buffer): { inline?: Buffer; parts: Buffer[] } {
  if (bytes.length <= MAX_CONTENT_BYTES) return { inline: bytes, parts: [] };
  const count = Math.ceil(bytes.length / MAX_CHUNK_BYTES);
  const parts = Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * MAX_CHUNK_BYTES, (index + 1) * MAX_CHUNK_BYTES),
  );
  return { parts };
}

export function chunkId(snapshotId: string, index: number): string {
  return `${snapshotId}:${String(index).padStart(4, '0')}`;
}
