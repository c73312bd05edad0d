import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { dueFields, modelOf, nativeDb, type Database, type DueFields } from '@clew/persistence';
import type { StoredExpectation } from './expectation.ts';

/** One that is due has conversations to be looked at again: it was switched off, deleted, or is checked otherwise. */
export type ExpectationDocument = Omit<StoredExpectation, 'id'> &
  DueFields & {
    _id: string;
    /** How far looking at its conversations again has come; null at the beginning. */
    reviewedThrough?: ReviewPosition | null;
    /** When results were last taken for it, so that such a transaction and a change of it conflict. */
    resultsAt?: number;
    /** When a deleted one was withdrawn everywhere. What a person wrote is then remembered only for a while. */
    goneAt?: Date;
  };

/** The occurrence that was looked at last, in the order of the Finding's occurrences. */
export interface ReviewPosition {
  firstDetectedAt: number;
  id: string;
}

/** What counts for all Expectations of a project. Every change of one of them writes it, so that two conflict. */
export interface ExpectationSetDocument {
  /** The project's id. */
  _id: string;
  /** Grows with every change of what is checked. */
  revision: number;
  active: number;
  /** The day of the prompts that are counted, in UTC. */
  promptDay?: string;
  /** How many new prompts that day brought. */
  promptCount?: number;
}

/** How long a DELETE of an Expectation that is gone is still told so. */
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
    ...dueFields,
  },
  { collection: 'expectations', versionKey: false },
);
// Without the filter by status, the server merges its ranges in the order of the list.
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
