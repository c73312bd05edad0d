import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, scheduleFields, type ScheduleFields } from '@clew/persistence';
import type { StoredWorkItem } from './work-item.ts';

export type WorkItemDocument = Omit<StoredWorkItem, 'id'> & ScheduleFields & { _id: string };

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const optionalText = { type: String, default: null } as const;
const optionalNumber = { type: Number, default: null } as const;

const workItemSchema = new Schema<WorkItemDocument>(
  {
    ...{ _id: text, projectId: text, findingId: text, connectorId: text, provider: text },
    destination: { type: Schema.Types.Mixed, default: null },
    ...{ status: text, doneReason: optionalText, syncState: text, syncError: optionalText },
    ...{ externalId: optionalText, externalKey: optionalText, externalUrl: optionalText, existing: optionalText },
    ...{ tries: number, failures: number, askedAt: number, sequence: number },
    ...{ sentSince: optionalNumber, lastSentAt: optionalNumber, seenChangeAt: optionalNumber },
    ...{ isPrimary: { type: Boolean, required: true }, ended: optionalText, replacedBy: optionalText },
    ...{ createdAt: number, updatedAt: number, lastSyncedAt: optionalNumber },
    ...scheduleFields,
  },
  { collection: 'work_items', versionKey: false },
);
const NEWEST = { createdAt: -1, _id: -1 } as const;
export const OF_FINDING = { projectId: 1, findingId: 1, ...NEWEST } as const;
workItemSchema.index(OF_FINDING);
/** Serves every combination of the filters of the project's list. */
export const OF_PROJECT = { projectId: 1, status: 1, provider: 1, syncState: 1, ...NEWEST } as const;
workItemSchema.index(OF_PROJECT);
// Finds the work items of an issue.
workItemSchema.index({ projectId: 1, connectorId: 1, externalId: 1 });

export function workItemModel(connection: Connection): Model<WorkItemDocument> {
  return modelOf(connection, 'WorkItem', workItemSchema);
}

export function workItemCollection(connection: Connection): mongo.Collection<WorkItemDocument> {
  return nativeDb(connection).collection(workItemModel(connection).collection.name);
}
