import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { ConversationSnapshot } from '@clew/contracts';

/** An evidence snapshot without its content. */
export type SnapshotHead = Omit<ConversationSnapshot, 'snapshotId' | 'messages' | 'tools' | 'scores'>;

export type SnapshotDocument = SnapshotHead & {
  _id: string;
  messageCount: number;
  chunkCount: number;
  createdAt: Date;
};

/**
 * A part of a snapshot's content: a document holds at most 16 MiB, a conversation may hold more. Chunks are written
 * before their snapshot; those of one that never came to be are left for maintenance to remove.
 */
export interface SnapshotChunk {
  /** `<snapshot>:<four digits>` */
  _id: string;
  projectId: string;
  /** JSON text; the chunks of a snapshot together are one JSON text. */
  body: string;
  createdAt: Date;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

const snapshotSchema = new Schema<SnapshotDocument>(
  {
    _id: text,
    projectId: text,
    conversationId: text,
    contentHash: text,
    revision: number,
    scope: text,
    startedAt: number,
    throughMs: number,
    agents: { type: [String], default: [] },
    models: { type: [String], default: [] },
    userId: { type: String, default: null },
    truncated: { type: Boolean, required: true },
    messageCount: number,
    chunkCount: number,
    createdAt: date,
  },
  { collection: 'snapshots', versionKey: false },
);
snapshotSchema.index({ projectId: 1, conversationId: 1, revision: -1 });
snapshotSchema.index({ projectId: 1, conversationId: 1, contentHash: 1, revision: -1 });

const chunkSchema = new Schema<SnapshotChunk>(
  { _id: text, projectId: text, body: text, createdAt: date },
  { collection: 'snapshot_chunks', versionKey: false },
);

export function snapshotModel(connection: Connection): Model<SnapshotDocument> {
  return modelOf(connection, 'Snapshot', snapshotSchema);
}

export function snapshotChunkModel(connection: Connection): Model<SnapshotChunk> {
  return modelOf(connection, 'SnapshotChunk', chunkSchema);
}
