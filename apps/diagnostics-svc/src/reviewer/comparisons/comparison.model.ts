import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, scheduleFields, type ScheduleFields } from '@clew/persistence';

/**
 * Comparison of the kinds of problems of one agent: `due` once there is a new kind, then `asked` until the model
 * answers, then `ended`. A further new kind makes it due again.
 */
export interface ComparisonDocument extends ScheduleFields {
  _id: string;
  projectId: string;
  /** Agent whose problems they are; null where nobody knows it. */
  agent: string | null;
  state: 'due' | 'asked' | 'ended';
  rounds: number;
  failures: number;
  /** Number of times that it was wanted, so that a decision conflicts with a new kind that it did not see. */
  wanted: number;
  /** Time since which its model cannot be used; absent while nothing is known against it. */
  awaySince?: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const comparisonSchema = new Schema<ComparisonDocument>(
  {
    ...{ _id: text, projectId: text, agent: { type: String, default: null }, state: text },
    ...{ rounds: number, failures: number, wanted: number, awaySince: Number },
    ...scheduleFields,
  },
  { collection: 'kind_comparisons', versionKey: false },
);

export function comparisonModel(connection: Connection): Model<ComparisonDocument> {
  return modelOf(connection, 'KindComparison', comparisonSchema);
}

export function comparisonCollection(connection: Connection): mongo.Collection<ComparisonDocument> {
  return nativeDb(connection).collection(comparisonModel(connection).collection.name);
}
