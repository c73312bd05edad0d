import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb } from '@clew/persistence';

export const GRAINS = { hour: 3_600_000, day: 86_400_000 } as const;
export type Grain = keyof typeof GRAINS;

/** Occurrences of a project in conversations that started in one hour, or on one day (UTC). */
export interface SeriesDocument {
  /** Project, grain and start, so that each row exists once. */
  _id: string;
  projectId: string;
  grain: Grain;
  startMs: number;
  total: number;
  bySeverity: Record<string, number>;
  byRule: Record<string, number>;
  byCategory: Record<string, number>;
}

const counts = { type: Schema.Types.Mixed, required: true } as const;
const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const seriesSchema = new Schema<SeriesDocument>(
  {
    ...{ _id: text, projectId: text, grain: text, startMs: number, total: number },
    ...{ bySeverity: counts, byRule: counts, byCategory: counts },
  },
  { collection: 'finding_series', versionKey: false },
);
// Reads the rows of a window in their order.
seriesSchema.index({ projectId: 1, grain: 1, startMs: 1 });

export function seriesModel(connection: Connection): Model<SeriesDocument> {
  return modelOf(connection, 'FindingSeries', seriesSchema);
}

export function seriesCollection(connection: Connection): mongo.Collection<SeriesDocument> {
  return nativeDb(connection).collection(seriesModel(connection).collection.name);
}

export function seriesIdOf(projectId: string, grain: Grain, startMs: number): string {
  return `${projectId}/${grain}/${startMs}`;
}
