import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type ScheduleFields } from '@clew/persistence';

/** Scheduled task for a Finding, deleted once it is done. */
export interface FindingTaskDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  findingId: string;
  /** `recount`: its conversations must be recounted after a regrouping. `snooze`: the snooze ends. */
  kind: 'recount' | 'snooze';
  /** Last recounted occurrence, in the order of detection. */
  through?: { firstDetectedAt: number; id: string } | null;
}

const text = { type: String, required: true } as const;

const taskSchema = new Schema<FindingTaskDocument>(
  {
    ...{ _id: text, projectId: text, findingId: text, kind: text },
    through: { type: Schema.Types.Mixed, default: null },
    ...scheduleFields,
  },
  { collection: 'finding_tasks', versionKey: false },
);

export function findingTaskModel(connection: Connection): Model<FindingTaskDocument> {
  return modelOf(connection, 'FindingTask', taskSchema);
}

export function findingTaskCollection(connection: Connection): mongo.Collection<FindingTaskDocument> {
  return nativeDb(connection).collection(findingTaskModel(connection).collection.name);
}
