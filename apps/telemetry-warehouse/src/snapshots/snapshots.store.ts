import type { ConversationMessage, ConversationSnapshot, Score, ToolDefinition } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { snapshotChunkModel, snapshotModel, type SnapshotDocument, type SnapshotHead } from './snapshot.model.ts';

export interface SnapshotContent {
  messages: ConversationMessage[];
  tools: ToolDefinition[];
  scores: Score[];
}

export interface SnapshotSize {
  messageCount: number;
  chunkCount: number;
}

export interface SnapshotStore {
  /** Stores `snapshotText`, in as many chunks as are returned; to be done before the snapshot itself. Safe to repeat. */
  writeContent(projectId: string, snapshotId: string, text: string): Promise<number>;
  /** Makes the snapshot exist; one that does stays as it is. */
  insert(tx: Transaction, snapshotId: string, head: SnapshotHead, size: SnapshotSize): Promise<void>;
  read(projectId: string, snapshotId: string): Promise<ConversationSnapshot | undefined>;
  /** The latest snapshot of this content that is a conversation from its beginning. */
  findByContent(projectId: string, conversationId: string, contentHash: string): Promise<string | undefined>;
}

const MAX_CHUNK_CHARACTERS = 3 * 1024 * 1024;

/** The content of a snapshot as it is stored: the same content is always the same text. */
export function snapshotText({ messages, tools, scores }: SnapshotContent): string {
  return JSON.stringify({ messages, tools, scores });
}

export function createSnapshotStore(database: Database): SnapshotStore {
  const snapshots = snapshotModel(database.connection);
  const chunks = snapshotChunkModel(database.connection);
  return {
    async writeContent(projectId, snapshotId, text) {
      const createdAt = new Date();
      const operations = chunksOf(text).map((body, index) => ({
        updateOne: {
          filter: { _id: chunkId(snapshotId, index) },
          update: { $setOnInsert: { projectId, body, createdAt } },
          upsert: true,
        },
      }));
      await chunks.bulkWrite(operations);
      return operations.length;
    },
    async insert(tx, snapshotId, head, size) {
      const document: Omit<SnapshotDocument, '_id'> = { ...head, ...size, createdAt: new Date() };
      await snapshots.updateOne({ _id: snapshotId }, { $setOnInsert: document }, { upsert: true, session: tx });
    },
    async read(projectId, snapshotId) {
      const document = await snapshots.findOne({ _id: snapshotId, projectId }).lean<SnapshotDocument>();
      if (document === null) return undefined;
      const ids = Array.from({ length: document.chunkCount }, (_, index) => chunkId(snapshotId, index));
      const parts = await chunks
        .find({ _id: { $in: ids } })
        .sort({ _id: 1 })
        .lean();
      if (parts.length < document.chunkCount) return undefined;
      const content = JSON.parse(parts.map(({ body }) => body).join('')) as SnapshotContent;
      const { _id, messageCount: _count, chunkCount: _chunks, createdAt: _createdAt, ...head } = document;
      return { snapshotId: _id, ...head, ...content };
    },
    async findByContent(projectId, conversationId, contentHash) {
      const found = await snapshots
        .findOne({ projectId, conversationId, contentHash, scope: { $ne: 'traces' } }, { _id: 1 })
        .sort({ revision: -1 })
        .lean();
      return found?._id;
    },
  };
}

function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + MAX_CHUNK_CHARACTERS, text.length);
    // Half a surrogate pair cannot be stored as UTF-8.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    chunks.push(text.slice(start, end));
    start = end;
  }
  return chunks;
}

function chunkId(snapshotId: string, index: number): string {
  return `${snapshotId}:${String(index).padStart(4, '0')}`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
