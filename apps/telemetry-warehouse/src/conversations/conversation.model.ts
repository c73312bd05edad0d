import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';

/** What is known of a conversation. `touches` grows with every change; what is assembled says which one it has seen. */
export interface ConversationDocument {
  /** `<project>:<conversation>` */
  _id: string;
  projectId: string;
  conversationId: string;
  /** No span names it: it is a trace of its own. */
  implicit: boolean;
  /** Something of a model, a tool or an agent is in it; other traces are no conversations. */
  listed: boolean;
  startedAt: number;
  lastActivityAt: number;
  touches: number;
  assembledTouches: number;
  /** When it is ready, if nothing more comes; null when it is and nothing has. */
  dueAt: number | null;
  leaseUntil: number;
  spanCount: number;
  messageCount: number;
  errorCount: number;
  agents: string[];
  models: string[];
  userId: string | null;
  usage: { inputTokens: number; outputTokens: number };
  preview: string;
  traceIds: string[];
  /** The words of its messages, for `q`. */
  terms: string[];
  snapshotId: string | null;
  contentHash: string | null;
  /** The content hash that was announced last. */
  readyHash: string | null;
  revision: number;
  findingCount: number;
  findingSequence: number;
  hasFinding: boolean;
}

const text = { type: String, required: true } as const;
const count = { type: Number, default: 0 } as const;
const optionalText = { type: String, default: null } as const;

const conversationSchema = new Schema<ConversationDocument>(
  {
    _id: text,
    projectId: text,
    conversationId: text,
    implicit: { type: Boolean, required: true },
    listed: { type: Boolean, default: false },
    startedAt: { type: Number, required: true },
    lastActivityAt: { type: Number, required: true },
    touches: count,
    assembledTouches: count,
    dueAt: { type: Number, default: null },
    leaseUntil: count,
    spanCount: count,
    messageCount: count,
    errorCount: count,
    agents: { type: [String], default: [] },
    models: { type: [String], default: [] },
    userId: optionalText,
    usage: { type: Schema.Types.Mixed, default: () => ({ inputTokens: 0, outputTokens: 0 }) },
    preview: { type: String, default: '' },
    traceIds: { type: [String], default: [] },
    terms: { type: [String], default: [] },
    snapshotId: optionalText,
    contentHash: optionalText,
    readyHash: optionalText,
    revision: count,
    findingCount: count,
    findingSequence: count,
    hasFinding: { type: Boolean, default: false },
  },
  { collection: 'conversations', versionKey: false },
);

const NEWEST_FIRST = { startedAt: -1, _id: -1 } as const;
const LISTED = { projectId: 1, listed: 1 } as const;
conversationSchema.index({ ...LISTED, ...NEWEST_FIRST });
conversationSchema.index({ ...LISTED, agents: 1, ...NEWEST_FIRST });
conversationSchema.index({ ...LISTED, models: 1, ...NEWEST_FIRST });
conversationSchema.index({ ...LISTED, userId: 1, ...NEWEST_FIRST });
conversationSchema.index({ ...LISTED, hasFinding: 1, ...NEWEST_FIRST });
conversationSchema.index({ ...LISTED, terms: 1, ...NEWEST_FIRST });
// Only what is due is in it, which is little.
conversationSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $gt: 0 } } });

export function conversationModel(connection: Connection): Model<ConversationDocument> {
  return modelOf(connection, 'Conversation', conversationSchema);
}

export function conversationKey(projectId: string, conversationId: string): string {
  return `${projectId}:${conversationId}`;
}
