import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb } from '@clew/persistence';
import type { ConversationSnapshot } from '@clew/contracts';

/** An evidence snapshot without its content. */
export type SnapshotHead = Omit<ConversationSnapshot, 'snapshotId' | 'messages' | 'tools' | 'scores'>;

export type SnapshotDocument = SnapshotHead & {
  _id: string;
  messageCount: number;
  /** Its content, `packed`; absent where that is in chunks. */
  content?: mongo.Binary;
  /** How many chunks its content has; 0 where it is here. */
  chunkCount: number;
  createdAt: Date;
  /** When retention had taken all of its words; absent while some are there. */
  expiredAt?: Date;
};

/**
 * A part of a large snapshot's content, since a document holds at most 16 MiB. Chunks are written before their snapshot;
 * those of one that never came to be are left for maintenance to remove.
 */
export interface SnapshotChunk {
  /** `<snapshot>:<four digits>` */
  _id: string;
  projectId: string;
  /** The chunks of a snapshot together are its content, `packed`. */
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

/** For writes in bulk, which need no casting. */
export function snapshotCollection(connection: Connection): mongo.Collection<SnapshotDocument> {
  return nativeDb(connection).collection(snapshotModel(connection).collection.name);
}

export function snapshotChunkCollection(connection: Connection): mongo.Collection<SnapshotChunk> {
  return nativeDb(connection).collection(snapshotChunkModel(connection).collection.name);
}
