import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import type { SoughtFields, StoredExample } from './example.ts';

export type ExampleDocument = Omit<StoredExample, 'id' | 'sought'> & Partial<SoughtFields> & { _id: string };

/** State of an Example from one version of its Dataset until another. */
export interface RevisionDocument extends Omit<StoredExample, 'id' | 'body' | 'signature' | 'sought'> {
  /** `<exampleId>:<fromVersion>` */
  _id: string;
  exampleId: string;
  /** Absent after an erasure; the row remains to record that there was one. */
  body?: string;
  /** Absent after an erasure. */
  signature?: string;
  /** First version of which it is no longer part. */
  toVersion: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const members = {
  _id: text,
  projectId: text,
  datasetId: text,
  derivationKey: String,
  conversationId: String,
  split: String,
  isStale: Boolean,
  fromVersion: number,
  createdAt: number,
  updatedAt: number,
} as const;

const exampleSchema = new Schema<ExampleDocument>(
  { ...members, body: text, signature: text, sourceKind: String, facets: [String], terms: [String] },
  { collection: 'examples', versionKey: false },
);
// Index of the list, newest first; a read at a version skips newer entries within the index. A change moves an entry
// backwards, so a scan that has passed the entry does not meet it again. The index ends with the fields for splits and
// near duplicates, so a million Examples are compared without reading a document.
exampleSchema.index(
  {
    ...{ projectId: 1, datasetId: 1, createdAt: -1, _id: -1, fromVersion: -1 },
    ...{ conversationId: 1, derivationKey: 1, split: 1, signature: 1 },
  },
  { name: 'newest_first' },
);
/** Names of the indexes of filtered lists by field, for hints; an absent kind of source stands for all of them. */
export const LIST_INDEXES = { facets: 'newest_by_facet', terms: 'newest_by_term' } as const;
const IN_LIST = { sourceKind: 1, createdAt: -1, _id: -1 } as const;
exampleSchema.index({ projectId: 1, datasetId: 1, facets: 1, ...IN_LIST }, { name: LIST_INDEXES.facets });
exampleSchema.index({ projectId: 1, datasetId: 1, terms: 1, ...IN_LIST }, { name: LIST_INDEXES.terms });
exampleSchema.index({ projectId: 1, datasetId: 1, fromVersion: 1, _id: 1 });
exampleSchema.index(
  { projectId: 1, datasetId: 1, derivationKey: 1, _id: 1 },
  { partialFilterExpression: { derivationKey: { $exists: true } } },
);

const revisionSchema = new Schema<RevisionDocument>(
  { ...members, body: String, signature: String, exampleId: text, toVersion: number },
  { collection: 'example_revisions', versionKey: false },
);
revisionSchema.index(
  {
    ...{ projectId: 1, datasetId: 1, createdAt: -1, exampleId: -1, fromVersion: -1, toVersion: -1 },
    ...{ conversationId: 1, derivationKey: 1, split: 1, signature: 1 },
  },
  { name: 'newest_first' },
);
revisionSchema.index({ projectId: 1, datasetId: 1, fromVersion: 1, exampleId: 1, toVersion: 1 });
revisionSchema.index({ projectId: 1, datasetId: 1, toVersion: 1, exampleId: 1, fromVersion: 1 });
revisionSchema.index({ projectId: 1, datasetId: 1, exampleId: 1, fromVersion: 1, toVersion: 1 });

export function exampleModel(connection: Connection): Model<ExampleDocument> {
  return modelOf(connection, 'Example', exampleSchema);
}

export function revisionModel(connection: Connection): Model<RevisionDocument> {
  return modelOf(connection, 'ExampleRevision', revisionSchema);
}

/** Native collection for bulk reads and writes, which need no casting. */
export function exampleCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<ExampleDocument> {
  return nativeDb(connection).collection(exampleModel(connection).collection.name);
}

export function revisionCollection({ connection }: Database): mongo.Collection<RevisionDocument> {
  return nativeDb(connection).collection(revisionModel(connection).collection.name);
}

export function fromExampleDocument(document: ExampleDocument): StoredExample {
  const { _id, sourceKind: _kind, facets: _facets, terms: _terms, ...rest } = document;
  return { id: _id, ...rest };
}

export function toExampleDocument({ id, sought, ...rest }: StoredExample): ExampleDocument {
  return { _id: id, ...rest, ...sought };
}

/** Example that a revision describes; `undefined` if it was erased. */
export function fromRevisionDocument(document: RevisionDocument): StoredExample | undefined {
  const { _id, exampleId, toVersion: _toVersion, body, signature, ...rest } = document;
  return body === undefined || signature === undefined ? undefined : { id: exampleId, body, signature, ...rest };
}
