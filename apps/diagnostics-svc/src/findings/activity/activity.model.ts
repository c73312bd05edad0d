import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { Activity } from './activity.ts';

export type ActivityDocument = Omit<Activity, 'id'> & { _id: string };

const text = { type: String, required: true } as const;
const value = { type: String, default: null } as const;

const activitySchema = new Schema<ActivityDocument>(
  {
    ...{ _id: text, projectId: text, findingId: text, kind: text },
    ...{ from: value, to: value, text: value },
    actor: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Number, required: true },
  },
  { collection: 'finding_activities', versionKey: false },
);
activitySchema.index({ projectId: 1, findingId: 1, createdAt: -1, _id: -1 });

export function activityModel(connection: Connection): Model<ActivityDocument> {
  return modelOf(connection, 'FindingActivity', activitySchema);
}
