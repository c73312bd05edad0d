import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb } from '@clew/persistence';
import type { TraceFragment } from './fragment.ts';

/** Content of a fragment's records, stored apart from the fragment so that it can expire alone. */
export interface ContentDocument {
  /** Id of the fragment. */
  _id: string;
  projectId: string;
  /** `packed` JSON text of `FragmentContent`. */
  body: mongo.Binary;
  receivedAt: Date;
}

const text = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;
/** Compression with zstd: facts are small texts that resemble each other. */
const storageEngine = { wiredTiger: { configString: 'block_compressor=zstd' } };

const fragmentSchema = new Schema<TraceFragment>(
  {
    ...{ _id: text, projectId: text, traceId: text },
    names: { type: [String], required: true },
    namedAt: String,
    startedAt: { type: Number, required: true },
    facts: text,
    spanCount: { type: Number, required: true },
    length: { type: Number, required: true },
    receivedAt: date,
    callKeys: { type: [Number], default: undefined },
    placed: Boolean,
    places: { type: [String], default: undefined },
  },
  { collection: 'trace_fragments', versionKey: false },
);
fragmentSchema.index({ projectId: 1, traceId: 1, placed: 1 });
fragmentSchema.index(
  { projectId: 1, names: 1, startedAt: 1 },
  { partialFilterExpression: { namedAt: { $gt: '' } }, name: 'names' },
);
fragmentSchema.index(
  { projectId: 1, traceId: 1, places: 1 },
  { partialFilterExpression: { placed: true }, name: 'places' },
);
fragmentSchema.index(
  { projectId: 1, traceId: 1, namedAt: 1 },
  { partialFilterExpression: { placed: true }, name: 'first_named' },
);
fragmentSchema.index(
  { projectId: 1, callKeys: 1 },
  { partialFilterExpression: { callKeys: { $exists: true } }, name: 'call_keys' },
);
fragmentSchema.index({ projectId: 1, receivedAt: 1 });

const contentSchema = new Schema<ContentDocument>(
  { _id: text, projectId: text, body: { type: Schema.Types.Buffer, required: true }, receivedAt: date },
  { collection: 'fragment_contents', versionKey: false },
);
contentSchema.index({ projectId: 1, receivedAt: 1 });

export function fragmentModel(connection: Connection): Model<TraceFragment> {
  return modelOf(connection, 'TraceFragment', fragmentSchema);
}

export function contentModel(connection: Connection): Model<ContentDocument> {
  return modelOf(connection, 'FragmentContent', contentSchema);
}

/** Creates the collection with the compression that suits it; an existing one stays as it is. */
export async function createFragmentCollection(connection: Connection): Promise<void> {
  const db = nativeDb(connection);
  const name = fragmentModel(connection).collection.name;
  const isThere = (await db.listCollections({ name }, { nameOnly: true }).toArray()).length > 0;
  if (!isThere) await db.createCollection(name, { storageEngine });
}
