import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb } from '@clew/persistence';
import type { ConversationSnapshot } from '@clew/contracts';

/** Evidence snapshot without its content. */
export type SnapshotHead = Omit<ConversationSnapshot, 'snapshotId' | 'messages' | 'tools' | 'scores' | 'successScores'>;

export type SnapshotDocument = SnapshotHead & {
  _id: string;
  messageCount: number;
  /** Its content, `packed`; absent if it is in chunks. */
  content?: mongo.Binary;
  /** Number of chunks that hold its content; 0 if the content is in this document. */
  chunkCount: number;
  createdAt: Date;
  /** Time at which retention had removed all of its words; absent while it has any. */
  expiredAt?: Date;
};

/**
 * Part of a large snapshot's content, since a document holds at most 16 MiB. Chunks are written before their snapshot;
 * chunks whose snapshot was never written are removed by maintenance.
 */
export interface SnapshotChunk {
  /** `<snapshot>:<four digits>` */
  _id: string;
  projectId: string;
  /** Part of the content; all chunks of a snapshot together are the content, `packed`. */
  bytes: mongo.Binary;
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
    content: Schema.Types.Buffer,
    chunkCount: number,
    createdAt: date,
    expiredAt: Date,
  },
  { collection: 'snapshots', versionKey: false },
);
snapshotSchema.index({ projectId: 1, conversationId: 1, revision: -1 });
snapshotSchema.index({ projectId: 1, conversationId: 1, contentHash: 1, revision: -1 });
snapshotSchema.index({ projectId: 1, expiredAt: 1, createdAt: 1 });
snapshotSchema.index({ projectId: 1, createdAt: 1, _id: 1 });

const chunkSchema = new Schema<SnapshotChunk>(
  { _id: text, projectId: text, bytes: { type: Schema.Types.Buffer, required: true }, createdAt: date },
  { collection: 'snapshot_chunks', versionKey: false },
);
chunkSchema.index({ projectId: 1, createdAt: 1, _id: 1 });

export function snapshotModel(connection: Connection): Model<SnapshotDocument> {
  return modelOf(connection, 'Snapshot', snapshotSchema);
}

export function snapshotChunkModel(connection: Connection): Model<SnapshotChunk> {
  return modelOf(connection, 'SnapshotChunk', chunkSchema);
}

/** Native collection for bulk writes, which need no casting. */
export function snapshotCollection(connection: Connection): mongo.Collection<SnapshotDocument> {
  return nativeDb(connection).collection(snapshotModel(connection).collection.name);
}

export function snapshotChunkCollection(connection: Connection): mongo.Collection<SnapshotChunk> {
  return nativeDb(connection).collection(snapshotChunkModel(connection).collection.name);
}
