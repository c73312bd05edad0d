import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { scheduleFields, modelOf, nativeDb, type Database, type ScheduleFields } from '@clew/persistence';
import type { StoredExpectation } from './expectation.ts';

/**
 * Stored Expectation. It is due while its conversations must be reviewed: after it was switched off, deleted, or given
 * another check.
 */
export type ExpectationDocument = Omit<StoredExpectation, 'id'> &
  ScheduleFields & {
    _id: string;
    /** Progress of the review of its conversations; null at the beginning. */
    reviewedThrough?: ReviewPosition | null;
    /** Time at which results last read it, written so that their transaction conflicts with a change of it. */
    resultsAt?: number;
    /**
     * Time at which a deleted one was withdrawn everywhere. One that a person wrote is kept only for a while after
     * that.
     */
    goneAt?: Date;
  };

/** Last reviewed occurrence, in the order of the Finding's occurrences. */
export interface ReviewPosition {
  firstDetectedAt: number;
  id: string;
}

/**
 * State shared by all Expectations of a project. Every change of one of them writes it, so that two changes conflict.
 */
export interface ExpectationSetDocument {
  /** Id of the project. */
  _id: string;
  /** Grows with every change of the set of checks. */
  revision: number;
  active: number;
  /** Day (UTC) of `promptCount`. */
  promptDay?: string;
  /** Number of new prompts on that day. */
  promptCount?: number;
}

/** Time for which a repeated DELETE of a removed Expectation still succeeds. */
const TOMBSTONE_TTL_SECONDS = 30 * 24 * 3600;

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed } as const;

const expectationSchema = new Schema<ExpectationDocument>(
  {
    _id: text,
    projectId: text,
    statement: text,
    source: text,
    quote: { type: String },
    promptHash: { type: String },
    status: text,
    severity: text,
    check: { ...mixed, required: true },
    checkHash: text,
    findingId: text,
    since: number,
    revised: number,
    createdAt: number,
    updatedAt: number,
    reviewedThrough: mixed,
    resultsAt: { type: Number },
    goneAt: Date,
    ...scheduleFields,
  },
  { collection: 'expectations', versionKey: false },
);
// A list without a status filter names all statuses, and the server merges their ranges in the order of the list.
expectationSchema.index({ projectId: 1, status: 1, createdAt: -1, _id: -1 });
expectationSchema.index({ projectId: 1, findingId: 1 });
expectationSchema.index({ projectId: 1, checkHash: 1 });
expectationSchema.index({ goneAt: 1 }, { expireAfterSeconds: TOMBSTONE_TTL_SECONDS });

const setSchema = new Schema<ExpectationSetDocument>(
  {
    _id: text,
    revision: number,
    active: number,
    promptDay: { type: String },
    promptCount: { type: Number },
  },
  { collection: 'expectation_sets', versionKey: false },
);

export function expectationModel(connection: Connection): Model<ExpectationDocument> {
  return modelOf(connection, 'Expectation', expectationSchema);
}

export function expectationSetModel(connection: Connection): Model<ExpectationSetDocument> {
  return modelOf(connection, 'ExpectationSet', setSchema);
}

export function expectationCollection({ connection }: Database): mongo.Collection<ExpectationDocument> {
  return nativeDb(connection).collection(expectationModel(connection).collection.name);
}

export function expectationSetCollection({ connection }: Database): mongo.Collection<ExpectationSetDocument> {
  return nativeDb(connection).collection(expectationSetModel(connection).collection.name);
}
