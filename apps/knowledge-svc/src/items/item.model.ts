import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import { conversationsOf, tracesOf, type Author, type StoredItem } from './item.ts';
import { searchTermsOf } from './search-terms.ts';

/** Fields by which an item that says the same is found. */
export interface Likeness {
  /** Key of the normalized content. */
  textKey: string;
  signature: string;
  bands: number[];
  /** Key of the subject: see `statementOf`. */
  subjectKey: string;
  embedding?: { model: string; vector: mongo.Binary } | null;
  /** Bands of the embedding, together with its model. */
  vectorBands?: string[];
  /** Compact form of the embedding, by which a search skips vectors that point elsewhere. */
  sketch?: mongo.Binary | null;
  /** Time of the latest quoted message. */
  saidAt?: number;
}

export type ItemDocument = Omit<StoredItem, 'id'> &
  Partial<Likeness> & { _id: string; terms: string[]; traceIds: string[]; conversationIds: string[] };

export interface RevisionDocument {
  /** `<itemId>:<revision>` */
  _id: string;
  projectId: string;
  itemId: string;
  revision: number;
  author: Author;
  item: Omit<StoredItem, 'projectId'>;
  conversationIds: string[];
  createdAt: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as never;

const itemSchema = new Schema<ItemDocument>(
  {
    ...{ _id: text, projectId: text, goalId: text, status: text, title: text, content: text, kind: text },
    ...{ confidence: number, sourceTraceId: text, sourceConversationId: text, evidence: mixed, authority: text },
    ...{ reviewedAt: Number, reviewedBy: String, supersedes: String, supersededBy: String },
    ...{ revision: number, createdAt: number, updatedAt: number },
    ...{ terms: [String], traceIds: [String], conversationIds: [String] },
    ...{ textKey: String, signature: String, bands: [Number], subjectKey: String },
    ...{ embedding: { type: Schema.Types.Mixed } as never, vectorBands: [String], saidAt: Number },
    ...{ sketch: { type: Schema.Types.Mixed } as never },
  },
  { collection: 'items', versionKey: false },
);
const NEWEST = { createdAt: -1, _id: -1 } as const;
const OLDEST_CHANGE = { updatedAt: 1, _id: 1 } as const;
// A list without a status merges both statuses in order, so no order needs an index without the status.
for (const order of [NEWEST, OLDEST_CHANGE]) {
  itemSchema.index({ projectId: 1, status: 1, ...order });
  itemSchema.index({ projectId: 1, goalId: 1, status: 1, ...order });
  itemSchema.index({ projectId: 1, traceIds: 1, ...order });
  itemSchema.index({ projectId: 1, terms: 1, ...order });
}
itemSchema.index({ projectId: 1, conversationIds: 1, _id: 1 });
itemSchema.index({ projectId: 1, goalId: 1, textKey: 1 });
itemSchema.index({ projectId: 1, goalId: 1, bands: 1 });
itemSchema.index({ projectId: 1, goalId: 1, subjectKey: 1, _id: 1 });
itemSchema.index({ projectId: 1, goalId: 1, vectorBands: 1 });
// Covering index: a search looks at thousands of items, and reads these fields only.
itemSchema.index(
  { projectId: 1, 'embedding.model': 1, ...NEWEST, goalId: 1, status: 1, sketch: 1 },
  { partialFilterExpression: { 'embedding.model': { $gt: '' } } },
);

const revisionSchema = new Schema<RevisionDocument>(
  {
    ...{ _id: text, projectId: text, itemId: text, revision: number, author: mixed, item: mixed },
    ...{ conversationIds: [String], createdAt: number },
  },
  { collection: 'item_revisions', versionKey: false },
);
revisionSchema.index({ projectId: 1, itemId: 1, revision: -1, _id: -1 });
revisionSchema.index({ projectId: 1, conversationIds: 1, _id: 1 });

export function itemModel(connection: Connection): Model<ItemDocument> {
  return modelOf(connection, 'KnowledgeItem', itemSchema);
}

export function itemRevisionModel(connection: Connection): Model<RevisionDocument> {
  return modelOf(connection, 'KnowledgeItemRevision', revisionSchema);
}

export function itemCollection({ connection }: Pick<Database, 'connection'>): mongo.Collection<ItemDocument> {
  return nativeDb(connection).collection(itemModel(connection).collection.name);
}

export function itemRevisionCollection({
  connection,
}: Pick<Database, 'connection'>): mongo.Collection<RevisionDocument> {
  return nativeDb(connection).collection(itemRevisionModel(connection).collection.name);
}

/** Stored fields of an item, apart from those that find similar items. */
export function itemFields(item: StoredItem): Omit<ItemDocument, keyof Likeness> {
  const { id, ...fields } = item;
  return {
    ...{ _id: id, ...fields },
    terms: searchTermsOf(item.title, item.content),
    traceIds: tracesOf(item),
    conversationIds: [...new Set([item.sourceConversationId, ...conversationsOf(item.evidence)])],
  };
}

export function revisionDocument({ projectId, ...item }: StoredItem, author: Author): RevisionDocument {
  const { id: itemId, revision, updatedAt: createdAt } = item;
  const conversationIds = [...new Set([item.sourceConversationId, ...conversationsOf(item.evidence)])];
  return { _id: `${itemId}:${revision}`, projectId, itemId, revision, author, item, conversationIds, createdAt };
}

/** Excludes the fields that callers do not see. */
export const WITHOUT_LIKENESS = {
  ...{ terms: 0, traceIds: 0, conversationIds: 0 },
  ...{ textKey: 0, signature: 0, bands: 0, subjectKey: 0, embedding: 0, vectorBands: 0, saidAt: 0 },
  sketch: 0,
} as const;

export function itemOf(document: Omit<ItemDocument, 'terms' | 'traceIds' | 'conversationIds'>): StoredItem {
  const { _id: id, projectId, goalId, status, title, content, kind, confidence, evidence, authority } = document;
  const { sourceTraceId, sourceConversationId, reviewedAt, reviewedBy, supersedes, supersededBy } = document;
  return {
    ...{ id, projectId, goalId, status, title, content, kind, confidence, sourceTraceId, sourceConversationId },
    ...{ evidence, authority, reviewedAt, reviewedBy, supersedes, supersededBy },
    ...{ revision: document.revision, createdAt: document.createdAt, updatedAt: document.updatedAt },
  };
}
