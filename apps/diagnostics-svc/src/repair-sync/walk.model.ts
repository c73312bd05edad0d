import type { TrackerDestination, TrackerProvider } from '@clew/contracts';
import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, scheduleFields, type ScheduleFields } from '@clew/persistence';

/** Walk through what changes in one place of an issue tracker, with the credentials of one connector. */
export interface WalkDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  connectorId: string;
  provider: TrackerProvider;
  /** Null for issues whose place is not known: each of them is read by itself. */
  place: TrackerDestination | null;
  /** Time since which changes are listed, by the provider's clock. */
  sinceMs: number;
  /** Next page of the walk in progress; null if none is. */
  cursor: string | null;
  /** Failures since the last walk that was finished. */
  failures: number;
  /** Reason of the last failure, without secrets. */
  problem: string | null;
  walkedAt: number | null;
  /** Time at which a work item last came to it. */
  followedAt: number;
}

/** Work item whose issue a walk keeps in sync. */
export interface FollowedDocument {
  /** Id of the work item. */
  _id: string;
  projectId: string;
  walkId: string;
  /** Time at which the issue was last seen. */
  checkedAt: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const walkSchema = new Schema<WalkDocument>(
  {
    ...{ _id: text, projectId: text, connectorId: text, provider: text, sinceMs: number, followedAt: number },
    place: { type: Schema.Types.Mixed, default: null },
    ...{ cursor: { type: String, default: null }, failures: number, problem: { type: String, default: null } },
    walkedAt: { type: Number, default: null },
    ...scheduleFields,
  },
  { collection: 'issue_walks', versionKey: false },
);

const followedSchema = new Schema<FollowedDocument>(
  { _id: text, projectId: text, walkId: text, checkedAt: number },
  { collection: 'followed_issues', versionKey: false },
);
// Finds the issues of a walk that were not seen for the longest.
followedSchema.index({ projectId: 1, walkId: 1, checkedAt: 1 });

export function walkModel(connection: Connection): Model<WalkDocument> {
  return modelOf(connection, 'IssueWalk', walkSchema);
}

export function walkCollection(connection: Connection): mongo.Collection<WalkDocument> {
  return nativeDb(connection).collection(walkModel(connection).collection.name);
}

export function followedModel(connection: Connection): Model<FollowedDocument> {
  return modelOf(connection, 'FollowedIssue', followedSchema);
}

export function followedCollection(connection: Connection): mongo.Collection<FollowedDocument> {
  return nativeDb(connection).collection(followedModel(connection).collection.name);
}
