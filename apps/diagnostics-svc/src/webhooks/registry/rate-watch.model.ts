import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, scheduleFields, type ScheduleFields } from '@clew/persistence';

/** Watch over the failure rate for a webhook; due when the rate is to be estimated next. */
export interface RateWatchDocument extends ScheduleFields {
  /** Id of the webhook. */
  _id: string;
  projectId: string;
  /** Whether the rate was above the bound when it was estimated last, which has then been told. */
  isAbove: boolean;
}

const text = { type: String, required: true } as const;

const rateWatchSchema = new Schema<RateWatchDocument>(
  { _id: text, projectId: text, isAbove: { type: Boolean, required: true }, ...scheduleFields },
  { collection: 'failure_rate_watches', versionKey: false },
);
rateWatchSchema.index({ projectId: 1 });

export function rateWatchModel(connection: Connection): Model<RateWatchDocument> {
  return modelOf(connection, 'FailureRateWatch', rateWatchSchema);
}

export function rateWatchCollection(connection: Connection): mongo.Collection<RateWatchDocument> {
  return nativeDb(connection).collection(rateWatchModel(connection).collection.name);
}
