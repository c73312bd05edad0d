import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';

/** What a conversation had said at some point; `_id` is `<project>:<hash>:<conversation>`. */
export interface PointDocument {
  _id: string;
  projectId: string;
  hash: string;
  conversationId: string;
  /** A later call has continued from here. */
  continued: boolean;
  at: Date;
}

/** A chat that pauses for longer begins anew. */
const POINT_TTL_SECONDS = 24 * 3600;

const text = { type: String, required: true } as const;

const pointSchema = new Schema<PointDocument>(
  {
    _id: text,
    projectId: text,
    hash: text,
    conversationId: text,
    continued: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  // Its name from when a point was the hash of what stood before it.
  { collection: 'conversation_prefixes', versionKey: false },
);
pointSchema.index({ projectId: 1, hash: 1, at: 1 });
pointSchema.index({ at: 1 }, { expireAfterSeconds: POINT_TTL_SECONDS });

export function pointModel(connection: Connection): Model<PointDocument> {
  return modelOf(connection, 'ConversationPoint', pointSchema);
}
