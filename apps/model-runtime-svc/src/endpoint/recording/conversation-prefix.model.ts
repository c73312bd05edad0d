import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';

/** What a conversation had said at some point; `_id` is `<project>:<hash>:<conversation>`. */
export interface PrefixDocument {
  _id: string;
  projectId: string;
  hash: string;
  conversationId: string;
  /** A later call has continued from here. */
  continued: boolean;
  at: Date;
}

/** A chat that pauses for longer begins anew. */
const PREFIX_TTL_SECONDS = 24 * 3600;

const text = { type: String, required: true } as const;

const prefixSchema = new Schema<PrefixDocument>(
  {
    _id: text,
    projectId: text,
    hash: text,
    conversationId: text,
    continued: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { collection: 'conversation_prefixes', versionKey: false },
);
prefixSchema.index({ projectId: 1, hash: 1, at: 1 });
prefixSchema.index({ at: 1 }, { expireAfterSeconds: PREFIX_TTL_SECONDS });

export function prefixModel(connection: Connection): Model<PrefixDocument> {
  return modelOf(connection, 'ConversationPrefix', prefixSchema);
}
