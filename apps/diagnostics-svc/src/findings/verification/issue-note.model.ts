import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, scheduleFields, type ScheduleFields } from '@clew/persistence';
import type { FindingVerification } from '@clew/contracts';

/** Facts of which the issue of a Finding is told. */
export type IssueNews =
  | ({ kind: 'resolved' } & Pick<FindingVerification, 'cleanExposures' | 'recurrenceBound' | 'since'>)
  | { kind: 'regressed'; conversationId: string; occurredAtMs: number };

/** Comment that the issue of a work item is due, deleted once it was made. */
export interface IssueNoteDocument extends ScheduleFields {
  /** Random, because the comment carries it as its marker. */
  _id: string;
  projectId: string;
  findingId: string;
  workItemId: string;
  news: IssueNews;
  /** Time at which it was sent with an outcome that is not known; null if it certainly does not exist. */
  sentAt: number | null;
  /** Whether the comment was made, and the issue is still to be reopened. */
  isMade: boolean;
  /** Calls without success. */
  failures: number;
  createdAt: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const issueNoteSchema = new Schema<IssueNoteDocument>(
  {
    ...{ _id: text, projectId: text, findingId: text, workItemId: text },
    news: { type: Schema.Types.Mixed, required: true },
    ...{ sentAt: { type: Number, default: null }, isMade: { type: Boolean, required: true } },
    ...{ failures: number, createdAt: number },
    ...scheduleFields,
  },
  { collection: 'issue_notes', versionKey: false },
);
// Finds the earlier notes of a work item, which are made first.
issueNoteSchema.index({ projectId: 1, workItemId: 1, createdAt: 1 });

export function issueNoteModel(connection: Connection): Model<IssueNoteDocument> {
  return modelOf(connection, 'IssueNote', issueNoteSchema);
}

export function issueNoteCollection(connection: Connection): mongo.Collection<IssueNoteDocument> {
  return nativeDb(connection).collection(issueNoteModel(connection).collection.name);
}
