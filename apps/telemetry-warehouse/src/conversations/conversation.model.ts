import type { ContentCapture, ReadySnapshot } from '@clew/contracts';
import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type ScheduleFields } from '@clew/persistence';
import type { Histogram } from './durations.ts';
import { ANY } from './facets.ts';

/**
 * State of a conversation. It becomes due when no more records have arrived for the quiet period; then it is assembled.
 */
export interface ConversationDocument extends ScheduleFields {
  /** `<project>:<conversation>` */
  _id: string;
  projectId: string;
  conversationId: string;
  /** True if the conversation is a trace in which no span names a conversation, as far as was known. */
  implicit: boolean;
  /** True if it has messages or a step of a chat (`isStep`); other traces are no conversations. */
  listed: boolean;
  startedAt: number;
  lastActivityAt: number;
  /** Time at which its latest record arrived. */
  receivedAt: number;
  /** Number of changes; `assembledTouches` is its value at the latest assembly. */
  touches: number;
  assembledTouches: number;
  /** Number of saved assemblies: of two saves that began from the same state, one is refused. */
  version: number;
  spanCount: number;
  messageCount: number;
  errorCount: number;
  agents: string[];
  models: string[];
  userId: string | null;
  usage: { inputTokens: number; outputTokens: number };
  preview: string;
  /** Absent in those that were assembled before there was a choice. */
  contentCapture?: ContentCapture;
  traceIds: string[];
  /** Words of its messages, for the search by `q`. */
  terms: string[];
  snapshotId: string | null;
  contentHash: string | null;
  /** Hash of the words in the latest snapshot's messages. */
  messagesHash: string | null;
  /** Hash of everything in the snapshot, including parts that do not affect the content hash. */
  evidenceHash: string | null;
  /** Content hash that was announced last; null if a snapshot of other content was made since. */
  readyHash: string | null;
  /** Its state when it was last ready; null if it has never been ready. */
  ready: Omit<ReadySnapshot, 'conversationId' | 'lastActivityAt'> | null;
  /** Last activity in `ready`. */
  readyThroughMs: number | null;
  /** Revision of its latest snapshot; 0 before the first. */
  revision: number;
  /** Records of calls, by `callNumber`, that it has taken from other conversations; absent if there are none. */
  callsTaken?: CallTaken[];
  /** Records of calls, by `callNumber`, that other conversations have taken from it; absent if there are none. */
  callsLost?: number[];
  findingCount: number;
  findingSequence: number;
  hasFinding: boolean;
  /** Whether a model call or a tool run in it failed. */
  hasError: boolean;
  /** True if nothing has arrived since the latest assembly: `touches` equals `assembledTouches`. */
  isReady: boolean;
  /** Values by which lists find it: see `facetsOf`. */
  facets: string[];
  /** Its scores that a threshold can be compared with, and those that are true or false by their words. */
  scored: ScoredValue[];
  /** Number of its model calls by duration: see `histogramOf`. */
  latency: Histogram;
  /** Its share of the hourly figures; absent if it is not counted. */
  counted?: HourShare;
}

/** Score of a conversation, as a number or as what its words mean. */
export interface ScoredValue {
  name: string;
  value: number | boolean;
}

/** Share of a conversation in the figures of an hour. */
export interface HourShare {
  /** Start of the hour in which it started, in Unix epoch milliseconds. */
  hour: number;
  flagged: boolean;
  failed: boolean;
  inputTokens: number;
  outputTokens: number;
  latency: Histogram;
  /** Series in which it counts, besides that of all conversations: see `seriesKey`. */
  series: string[];
}

/** Record of a call, by `callNumber`, and the conversation from which it was taken. */
export interface CallTaken {
  call: number;
  from: string;
}

/** Identity of a conversation, which is set once. */
export type ConversationIdentity = Pick<ConversationDocument, 'projectId' | 'conversationId' | 'implicit'>;

/** Fields that change with every touch. */
type Touched =
  '_id' | 'startedAt' | 'lastActivityAt' | 'receivedAt' | 'touches' | 'listed' | 'isReady' | keyof ScheduleFields;

/**
 * Initial fields of a conversation before its first assembly. They are set here because the native driver has no
 * defaults.
 */
export function newConversation(identity: ConversationIdentity): Omit<ConversationDocument, Touched> {
  return {
    ...identity,
    ...{ assembledTouches: 0, version: 0 },
    ...{ spanCount: 0, messageCount: 0, errorCount: 0, agents: [], models: [], userId: null },
    ...{ usage: { inputTokens: 0, outputTokens: 0 }, preview: '', traceIds: [], terms: [] },
    ...{ snapshotId: null, contentHash: null, messagesHash: null, evidenceHash: null, readyHash: null, revision: 0 },
    ...{ ready: null, readyThroughMs: null },
    ...{ findingCount: 0, findingSequence: 0, hasFinding: false },
    ...{ hasError: false, facets: [ANY], scored: [], latency: {} },
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
    ...{ version: number, ...scheduleFields },
    ...{ spanCount: number, messageCount: number, errorCount: number },
    ...{ agents: [String], models: [String], userId: optionalText },
    usage: { type: Schema.Types.Mixed, required: true },
    contentCapture: { type: String, default: undefined },
    ...{ preview: String, traceIds: [String], terms: [String] },
    ...{ snapshotId: optionalText, contentHash: optionalText, messagesHash: optionalText },
    ...{ evidenceHash: optionalText, readyHash: optionalText },
    ...{ ready: { type: Schema.Types.Mixed, default: null }, readyThroughMs: { type: Number, default: null } },
    callsTaken: { type: [{ _id: false, call: Number, from: String }], default: undefined },
    callsLost: { type: [Number], default: undefined },
    ...{ revision: number, findingCount: number, findingSequence: number, hasFinding: flag },
    ...{ hasError: flag, isReady: flag, facets: [String], scored: { type: Schema.Types.Mixed } as never },
    ...{ latency: Schema.Types.Mixed, counted: Schema.Types.Mixed },
  },
  { collection: 'conversations', versionKey: false },
);

const NEWEST_FIRST = { startedAt: -1, _id: -1 } as const;
const LISTED = { projectId: 1, listed: 1 } as const;
/**
 * A list by a value of `facets` names the three flags, so that it is read in order; the number of messages is compared
 * within the index.
 */
const FLAGS = { hasError: 1, hasFinding: 1, isReady: 1 } as const;
/** Names of the list indexes, for hints: the database would try several, and keep one that suits another value. */
export const LIST_INDEXES = { facets: 'list_by_facet', terms: 'list_by_word' } as const;
conversationSchema.index(
  { ...LISTED, facets: 1, ...FLAGS, ...NEWEST_FIRST, messageCount: 1 },
  { name: LIST_INDEXES.facets },
);
// A conversation has hundreds of words: nothing that changes with it may be in their index, which would be written anew.
conversationSchema.index({ ...LISTED, terms: 1, ...NEWEST_FIRST }, { name: LIST_INDEXES.terms });

/** Index of the conversations that were ready, by last activity. */
conversationSchema.index(
  { projectId: 1, readyThroughMs: 1, _id: 1 },
  { partialFilterExpression: { readyThroughMs: { $gte: 0 } } },
);

/** Index for conversations that have received nothing for a long time. */
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
