import type { ReadySnapshot } from '@clew/contracts';
import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { dueFields, modelOf, nativeDb, type DueFields } from '@clew/persistence';

/** What is known of a conversation. It is due when it is ready if nothing more comes: then it is assembled. */
export interface ConversationDocument extends DueFields {
  /** `<project>:<conversation>` */
  _id: string;
  projectId: string;
  conversationId: string;
  /** It is a trace that no span was known to name a conversation of. */
  implicit: boolean;
  /** Messages, or a step of a chat (`isStep`), are in it; other traces are no conversations. */
  listed: boolean;
  startedAt: number;
  lastActivityAt: number;
  /** When something of it came last. */
  receivedAt: number;
  /** Grows with every change; what is assembled says which one it has seen. */
  touches: number;
  assembledTouches: number;
  /** Grows with every save of what was assembled: of two that began from the same state, one is refused. */
  version: number;
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
  /** The hash of what the latest snapshot's messages say. */
  messagesHash: string | null;
  /** The hash of everything that the snapshot holds: also of what leaves the content hash as it is. */
  evidenceHash: string | null;
  /** The content hash that was announced last; null where a snapshot of other content was made since. */
  readyHash: string | null;
  /** As it was when it was ready the last time; null where it never was. */
  ready: Omit<ReadySnapshot, 'conversationId' | 'lastActivityAt'> | null;
  /** The last activity in `ready`. */
  readyThroughMs: number | null;
  /** Of its latest snapshot; 0 before the first. */
  revision: number;
  /** Records of calls that it has taken from other conversations, by `callNumber`; absent where there are none. */
  callsTaken?: CallTaken[];
  /** Records of calls that other conversations have taken from it, by `callNumber`; absent where there are none. */
  callsLost?: number[];
  findingCount: number;
  findingSequence: number;
  hasFinding: boolean;
}

/** A record of a call, by `callNumber`, and the conversation that it stood in. */
export interface CallTaken {
  call: number;
  from: string;
}

/** The identity of a conversation, which is set once. */
export type ConversationIdentity = Pick<ConversationDocument, 'projectId' | 'conversationId' | 'implicit'>;

/** What changes with every touch. */
type Touched = '_id' | 'startedAt' | 'lastActivityAt' | 'receivedAt' | 'touches' | 'listed' | keyof DueFields;

/** A conversation of which nothing was assembled yet. The native driver knows no defaults, so they stand here. */
export function newConversation(identity: ConversationIdentity): Omit<ConversationDocument, Touched> {
  return {
    ...identity,
    ...{ assembledTouches: 0, version: 0 },
    ...{ spanCount: 0, messageCount: 0, errorCount: 0, agents: [], models: [], userId: null },
    ...{ usage: { inputTokens: 0, outputTokens: 0 }, preview: '', traceIds: [], terms: [] },
    ...{ snapshotId: null, contentHash: null, messagesHash: null, evidenceHash: null, readyHash: null, revision: 0 },
    ...{ ready: null, readyThroughMs: null },
    ...{ findingCount: 0, findingSequence: 0, hasFinding: false },
  };
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const flag = { type: Boolean, required: true } as const;
const optionalText = { type: String, default: null } as const;

const conversationSchema = new Schema<ConversationDocument>(
  {
    ...{ _id: text, projectId: text, conversationId: text, implicit: flag, listed: flag },
    ...{ startedAt: number, lastActivityAt: number, receivedAt: number, touches: number, assembledTouches: number },
    ...{ version: number, ...dueFields },
    ...{ spanCount: number, messageCount: number, errorCount: number },
    ...{ agents: [String], models: [String], userId: optionalText },
    usage: { type: Schema.Types.Mixed, required: true },
    ...{ preview: String, traceIds: [String], terms: [String] },
    ...{ snapshotId: optionalText, contentHash: optionalText, messagesHash: optionalText },
    ...{ evidenceHash: optionalText, readyHash: optionalText },
    ...{ ready: { type: Schema.Types.Mixed, default: null }, readyThroughMs: { type: Number, default: null } },
    callsTaken: { type: [{ _id: false, call: Number, from: String }], default: undefined },
    callsLost: { type: [Number], default: undefined },
    ...{ revision: number, findingCount: number, findingSequence: number, hasFinding: flag },
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

/** The conversations that were ready, by last activity. */
conversationSchema.index(
  { projectId: 1, readyThroughMs: 1, _id: 1 },
  { partialFilterExpression: { readyThroughMs: { $gte: 0 } } },
);

/** The conversations of which nothing has come for long. */
conversationSchema.index({ projectId: 1, receivedAt: 1 });

export function conversationModel(connection: Connection): Model<ConversationDocument> {
  return modelOf(connection, 'Conversation', conversationSchema);
}

export function conversationCollection(connection: Connection): mongo.Collection<ConversationDocument> {
  return nativeDb(connection).collection(conversationModel(connection).collection.name);
}

export function conversationKey(projectId: string, conversationId: string): string {
  return `${projectId}:${conversationId}`;
}
