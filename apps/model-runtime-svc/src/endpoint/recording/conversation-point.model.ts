import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';

/** Hash of a conversation's words up to some point; `_id` is `<project>:<hash>:<conversation>`. */
export interface PointDocument {
  _id: string;
  projectId: string;
  hash: string;
  conversationId: string;
  /** True if a later call has continued from here. */
  continued: boolean;
  at: Date;
}

/** Pause after which a chat starts a new conversation. */
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
  // Collection name from the time when a point was the hash of the messages before it.
  { collection: 'conversation_prefixes', versionKey: false },
);
pointSchema.index({ projectId: 1, hash: 1, at: 1 });
pointSchema.index({ at: 1 }, { expireAfterSeconds: POINT_TTL_SECONDS });

export function pointModel(connection: Connection): Model<PointDocument> {
  return modelOf(connection, 'ConversationPoint', pointSchema);
}
