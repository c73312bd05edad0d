import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import type { ScoreCalibration as CalibrationView } from '@clew/contracts';
import { modelOf, nativeDb } from '@clew/persistence';
import type { ScoreCalibration } from '@clew/rules';

/** Calibration of one project's scores. It is derived, so that it can be lost. */
export interface CalibrationDocument extends Pick<
  CalibrationView,
  'source' | 'judged' | 'failed' | 'brierBefore' | 'brierAfter' | 'fittedAt'
> {
  /** Id of the project. */
  _id: string;
  /** Null while too few outcomes are known. */
  line: ScoreCalibration | null;
}

const calibrationSchema = new Schema<CalibrationDocument>(
  {
    _id: { type: String, required: true },
    source: { type: String },
    line: Schema.Types.Mixed as never,
    ...{ judged: Number, failed: Number, brierBefore: Number, brierAfter: Number },
    fittedAt: { type: Number, required: true },
  },
  { collection: 'score_calibrations', versionKey: false },
);

export function calibrationModel(connection: Connection): Model<CalibrationDocument> {
  return modelOf(connection, 'ScoreCalibration', calibrationSchema);
}

export function calibrationCollection(connection: Connection): mongo.Collection<CalibrationDocument> {
  return nativeDb(connection).collection(calibrationModel(connection).collection.name);
}
