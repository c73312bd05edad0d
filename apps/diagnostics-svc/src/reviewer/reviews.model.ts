import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { ReviewVerdict, Suspect } from '@clew/contracts';
import { modelOf, nativeDb, scheduleFields, type ScheduleFields } from '@clew/persistence';
import type { ClusterMeaning } from './problem-clusters.ts';

/** Reason why a conversation is read. */
export type ChosenBy = 'random' | 'score' | 'all' | 'backfill';

/** Result of a review. */
export interface ReviewResult {
  snapshotId: string;
  revision: number;
  model: string;
  verdict: ReviewVerdict;
  failureProbability: number;
  wanted: string;
  problemCount: number;
  suspects: Suspect[];
  dropped: number;
  refuted: number;
  /** Whether some message spoke to its reader, so that a good verdict may come from its writer. */
  isTainted: boolean;
  calls: number;
  tokens: number;
}

/**
 * Review of one conversation, the task as well as the record: `due` until the model is asked, which may wait for budget,
 * then `asked` until it answers, then `done`, or `ended` if there was no answer. A later snapshot makes it due again.
 */
export interface ReviewDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  conversationId: string;
  /** Snapshot to be read. */
  snapshotId: string;
  requestId: string | null;
  chosenBy: ChosenBy;
  /** Probability with which the conversation was drawn; absent if it was chosen otherwise. */
  inclusion?: number;
  state: 'due' | 'asked' | 'done' | 'ended';
  rounds: number;
  failures: number;
  /** Time from which its snapshot is to be read. */
  wantedFrom: number;
  /** Time since which the model of this review cannot be used; absent while nothing is known against it. */
  awaySince?: number;
  /** Start of the conversation; absent before the first result. */
  startedAt?: number;
  agents?: string[];
  reviewedAt?: number;
  result?: ReviewResult;
}

/** Conversations of one project and day (UTC) that could be read, and those that were chosen. */
export interface ReviewDayDocument {
  _id: string;
  projectId: string;
  day: number;
  ready: number;
  random: number;
  byScore: number;
  scores: number[];
}

/**
 * Cost of the reviews of one project and day, under the id of that day. It is a document of its own: otherwise each
 * answer of a model would conflict with the results of Rules, whose transaction is long, and have all of it run again.
 */
export interface ReviewUsageDocument {
  _id: string;
  projectId: string;
  reviewed: number;
  calls: number;
  tokens: number;
}

/**
 * Standing of a cluster among those of its agent: `new` until a model has compared it with the others; `joined` if it is
 * the same as another one in other words, else `compared`.
 */
export type ClusterStanding = 'new' | 'compared' | 'joined';

/** Problem of one agent as reviews tell it. */
export interface ProblemClusterDocument extends ClusterMeaning {
  _id: string;
  projectId: string;
  /** Category, agent and tool, which all its problems share. */
  bucket: string;
  agent: string | null;
  /** Conversation whose review gave title and kind. */
  conversationId: string;
  createdAt: number;
  standing: ClusterStanding;
  /** Cluster that it has joined. */
  sameAs?: string;
}

/** Cluster as a comparison needs it. */
export type ComparedCluster = Pick<ProblemClusterDocument, '_id' | 'standing' | 'createdAt'>;

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as never;

const reviewSchema = new Schema<ReviewDocument>(
  {
    ...{ _id: text, projectId: text, conversationId: text, snapshotId: text, chosenBy: text, state: text },
    ...{ requestId: { type: String, default: null }, inclusion: Number },
    ...{ rounds: number, failures: number, wantedFrom: number, awaySince: Number },
    ...{ startedAt: Number, reviewedAt: Number, agents: [String], result: Schema.Types.Mixed as never },
    ...scheduleFields,
  },
  { collection: 'reviews', versionKey: false },
);
reviewSchema.index({ projectId: 1, state: 1, wantedFrom: 1 });
reviewSchema.index({ projectId: 1, conversationId: 1 });
reviewSchema.index({ projectId: 1, reviewedAt: -1, _id: -1 });
reviewSchema.index({ projectId: 1, startedAt: 1 }, { partialFilterExpression: { inclusion: { $gt: 0 } } });

const reviewDaySchema = new Schema<ReviewDayDocument>(
  {
    ...{ _id: text, projectId: text, day: number, ready: number, random: number, byScore: number },
    scores: [Number],
  },
  { collection: 'review_days', versionKey: false },
);
reviewDaySchema.index({ projectId: 1, day: -1 });

const reviewUsageSchema = new Schema<ReviewUsageDocument>(
  { ...{ _id: text, projectId: text, reviewed: number, calls: number, tokens: number } },
  { collection: 'review_usage', versionKey: false },
);

const problemClusterSchema = new Schema<ProblemClusterDocument>(
  {
    ...{ _id: text, projectId: text, bucket: text, conversationId: text, title: text, createdAt: number },
    ...{ agent: { type: String, default: null }, standing: text, sameAs: String },
    ...{ kind: { type: String }, count: number, stems: mixed, vectors: mixed },
  },
  { collection: 'problem_clusters', versionKey: false },
);
problemClusterSchema.index({ projectId: 1, bucket: 1, createdAt: 1 });
problemClusterSchema.index({ projectId: 1, count: -1 });
problemClusterSchema.index({ projectId: 1, conversationId: 1 });
problemClusterSchema.index({ projectId: 1, agent: 1, standing: 1, createdAt: 1 });
problemClusterSchema.index({ projectId: 1, agent: 1, standing: 1, count: -1 });

export function reviewModel(connection: Connection): Model<ReviewDocument> {
  return modelOf(connection, 'Review', reviewSchema);
}

export function reviewDayModel(connection: Connection): Model<ReviewDayDocument> {
  return modelOf(connection, 'ReviewDay', reviewDaySchema);
}

export function reviewUsageModel(connection: Connection): Model<ReviewUsageDocument> {
  return modelOf(connection, 'ReviewUsage', reviewUsageSchema);
}

export function problemClusterModel(connection: Connection): Model<ProblemClusterDocument> {
  return modelOf(connection, 'ProblemCluster', problemClusterSchema);
}

export function reviewCollection(connection: Connection): mongo.Collection<ReviewDocument> {
  return nativeDb(connection).collection(reviewModel(connection).collection.name);
}

export function reviewDayCollection(connection: Connection): mongo.Collection<ReviewDayDocument> {
  return nativeDb(connection).collection(reviewDayModel(connection).collection.name);
}

export function reviewUsageCollection(connection: Connection): mongo.Collection<ReviewUsageDocument> {
  return nativeDb(connection).collection(reviewUsageModel(connection).collection.name);
}

export function problemClusterCollection(connection: Connection): mongo.Collection<ProblemClusterDocument> {
  return nativeDb(connection).collection(problemClusterModel(connection).collection.name);
}
