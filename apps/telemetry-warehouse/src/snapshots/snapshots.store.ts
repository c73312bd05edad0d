import type { ConversationMessage, ConversationSnapshot, ToolDefinition } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { snapshotChunkModel, snapshotModel, type SnapshotDocument, type SnapshotHead } from './snapshot.model.ts';

export interface SnapshotContent {
  messages: ConversationMessage[];
  tools: ToolDefinition[];
}

export interface SnapshotSize {
  messageCount: number;
  chunkCount: number;
}

export interface SnapshotStore {
  exists(snapshotId: string): Promise<boolean>;
  /** Stores the content, in as many chunks as are returned; to be done before the snapshot itself. Safe to repeat. */
  writeContent(projectId: string, snapshotId: string, content: SnapshotContent): Promise<number>;
  /** Makes the snapshot exist; one that does stays as it is. */
  insert(tx: Transaction, snapshotId: string, head: SnapshotHead, size: SnapshotSize): Promise<void>;
  read(projectId: string, snapshotId: string): Promise<Omit<ConversationSnapshot, 'scores'> | undefined>;
}

const MAX_CHUNK_CHARACTERS = 3 * 1024 * 1024;

export function createSnapshotStore(database: Database): SnapshotStore {
  const snapshots = snapshotModel(database.connection);
  const chunks = snapshotChunkModel(database.connection);
  return {
    async exists(snapshotId) {
      return (await snapshots.exists({ _id: snapshotId })) !== null;
    },
    async writeContent(projectId, snapshotId, content) {
      const operations = chunksOf(content).map((body, index) => ({
        updateOne: {
          filter: { _id: chunkId(snapshotId, index) },
          update: { $set: { projectId, body } },
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
  };
}

function chunksOf(content: SnapshotContent): string[] {
  const text = JSON.stringify({ messages: content.messages, tools: content.tools });
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
