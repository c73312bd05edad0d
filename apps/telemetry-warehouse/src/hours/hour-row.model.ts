import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { Histogram } from '../conversations/index.ts';

/** Figures that are summed up. */
export interface HourFigures {
  conversations: number;
  flagged: number;
  failed: number;
  inputTokens: number;
  outputTokens: number;
  latency: Histogram;
}

/**
 * Part of the figures of one hour and series. Each writer adds to rows of its own, its lane, so that writers do not
 * wait for each other; the sum of the lanes counts. Those of past hours are folded into the row of their day.
 */
export interface HourRow extends Omit<HourFigures, 'latency'> {
  /** Absent if no model call has a duration. */
  latency?: Histogram;
  /** `<project>:<hour>:<lane>:<series>` */
  _id: string;
  projectId: string;
  /** Key of the series: see `seriesKey`. */
  series: string;
  /** Kind of the series: `all`, `agent` or `model`. */
  by: string;
  /** Start of the hour, in Unix epoch milliseconds. */
  hour: number;
  lane: number;
}

/**
 * Figures of the past hours of one day and series. They are packed (see `packFigures`), because a histogram has dozens
 * of counts, and a series of a month thousands of histograms, which the database would hand over count by count.
 */
export interface DayRow {
  /** `<project>:<day>:<series>` */
  _id: string;
  projectId: string;
  series: string;
  by: string;
  /** Start of the day (UTC), in Unix epoch milliseconds. */
  day: number;
  /** Figures of each hour; of rows that were stored before, JSON of the figures by the start of their hour. */
  hours: mongo.Binary | string;
  /** Sum of the hours, for series of whole days; absent where the hours are a text. */
  total?: mongo.Binary;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const hourSchema = new Schema<HourRow>(
  {
    ...{ _id: text, projectId: text, series: text, by: text, hour: number, lane: number },
    ...{ conversations: number, flagged: number, failed: number, inputTokens: number, outputTokens: number },
    latency: Schema.Types.Mixed,
  },
  { collection: 'conversation_hours', versionKey: false },
);
hourSchema.index({ projectId: 1, by: 1, hour: 1 });
hourSchema.index(
  { projectId: 1, hour: 1, lane: 1 },
  { partialFilterExpression: { lane: { $gt: 0 } }, name: 'unfolded' },
);

const daySchema = new Schema<DayRow>(
  {
    ...{ _id: text, projectId: text, series: text, by: text, day: number },
    ...{ hours: { type: Schema.Types.Mixed, required: true }, total: Schema.Types.Mixed },
  },
  { collection: 'conversation_days', versionKey: false },
);
daySchema.index({ projectId: 1, by: 1, day: 1 });

/** Values that a project's series are told apart by, in the order in which they were first seen. */
export interface SeriesNames {
  /** `<project>:<kind>` */
  _id: string;
  projectId: string;
  names: string[];
}

/** Creates the collection of names: concurrent transactions that each create it would fail. */
export async function ensureSeriesNames(database: Pick<Database, 'connection'>): Promise<void> {
  await seriesNamesCollection(database).createIndex({ projectId: 1 }, { name: 'project' });
}

export function hourModel(connection: Connection): Model<HourRow> {
  return modelOf(connection, 'ConversationHour', hourSchema);
}

export function hourCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<HourRow> {
  return nativeDb(connection).collection(hourModel(connection).collection.name);
}

export function dayModel(connection: Connection): Model<DayRow> {
  return modelOf(connection, 'ConversationDay', daySchema);
}

export function dayCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<DayRow> {
  return nativeDb(connection).collection(dayModel(connection).collection.name);
}

export function seriesNamesCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<SeriesNames> {
  return nativeDb(connection).collection('series_names');
}
