import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, type Database } from '@clew/persistence';
import { subjectKeyOf } from '@clew/knowledge';
import {
  conversationsOf,
  isReviewed,
  standingOf,
  tracesOf,
  type Author,
  type Standing,
  type StoredItem,
} from './item.ts';
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
}

/** Fields that lists and searches filter by, computed from the item. */
interface Filtered {
  standing: Standing;
  terms: string[];
  traceIds: string[];
  conversationIds: string[];
  /** Keys of the subject: of its name, and the id of the user. */
  subjects: string[];
  /** Values by which lists find it: see `facetsOf`. */
  facets: string[];
  reviewed: boolean;
}

export type ItemDocument = Omit<StoredItem, 'id'> & Partial<Likeness> & Filtered & { _id: string };

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
    ...{ confidence: number, sourceTraceId: String, sourceConversationId: String, evidence: mixed, authority: text },
    ...{ subject: mixed, saidAt: number, validFrom: Number, validUntil: Number, heldFrom: number, heldUntil: Number },
    ...{ reviewedAt: Number, reviewedBy: String, supersedes: String, supersededBy: String, possiblyOutdatedBy: String },
    ...{ revision: number, createdAt: number, updatedAt: number },
    ...{ standing: text, terms: [String], traceIds: [String], conversationIds: [String], subjects: [String] },
    ...{ facets: [String], reviewed: { type: Boolean, required: true } },
    ...{ textKey: String, signature: String, bands: [Number], subjectKey: String },
    ...{ embedding: { type: Schema.Types.Mixed } as never, vectorBands: [String] },
    ...{ sketch: { type: Schema.Types.Mixed } as never },
  },
  { collection: 'items', versionKey: false },
);
const NEWEST = { createdAt: -1, _id: -1 } as const;
const OLDEST_CHANGE = { updatedAt: 1, _id: 1 } as const;
const LATEST_HELD = { heldFrom: -1, _id: -1 } as const;
/** Names of the list indexes by order and field, for hints. */
export const LIST_INDEXES = {
  newest: { facets: 'newest_by_facet', terms: 'newest_by_term' },
  changed: { facets: 'changed_by_facet', terms: 'changed_by_term' },
  held: { facets: 'held_by_facet', terms: 'newest_by_term' },
} as const;
// A list begins with one value of `facets`, and names every standing, kind and review that it may show: their parts are
// merged in order. Items that ended before the time that is asked for are skipped within the index.
const BY_FACET = { projectId: 1, facets: 1, standing: 1, reviewed: 1, kind: 1 } as const;
itemSchema.index({ ...BY_FACET, ...NEWEST, confidence: 1 }, { name: LIST_INDEXES.newest.facets });
itemSchema.index({ ...BY_FACET, ...OLDEST_CHANGE, confidence: 1 }, { name: LIST_INDEXES.changed.facets });
itemSchema.index({ ...BY_FACET, ...LATEST_HELD, heldUntil: 1, confidence: 1 }, { name: LIST_INDEXES.held.facets });
itemSchema.index({ projectId: 1, subjects: 1, ...NEWEST });
// A search sifts the items of a word within the index.
const SIFTED = { goalId: 1, standing: 1, heldFrom: 1, heldUntil: 1, reviewed: 1, kind: 1, confidence: 1 } as const;
itemSchema.index({ projectId: 1, terms: 1, ...NEWEST, ...SIFTED }, { name: LIST_INDEXES.newest.terms });
itemSchema.index({ projectId: 1, terms: 1, ...OLDEST_CHANGE, ...SIFTED }, { name: LIST_INDEXES.changed.terms });
itemSchema.index(
  { projectId: 1, possiblyOutdatedBy: 1 },
  { partialFilterExpression: { possiblyOutdatedBy: { $gt: '' } } },
);
itemSchema.index({ projectId: 1, conversationIds: 1, _id: 1 });
itemSchema.index({ projectId: 1, goalId: 1, textKey: 1 });
itemSchema.index({ projectId: 1, goalId: 1, bands: 1 });
itemSchema.index({ projectId: 1, goalId: 1, subjectKey: 1, _id: 1 });
itemSchema.index({ projectId: 1, goalId: 1, vectorBands: 1 });
// Covering index: a search looks at thousands of items, and reads these fields only.
itemSchema.index(
  { projectId: 1, 'embedding.model': 1, ...NEWEST, goalId: 1, standing: 1, heldFrom: 1, heldUntil: 1, sketch: 1 },
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
    standing: standingOf(item),
    terms: searchTermsOf(item.title, item.content),
    traceIds: tracesOf(item),
    conversationIds: conversationsOf(item),
    subjects: subjectsOf(item),
    facets: facetsOf(item),
    reviewed: isReviewed(item),
  };
}

/** Facet of every item. */
export const ANY = '*';

/** Value by which lists find an item. */
export function facet(kind: 'goal' | 'trace' | 'conversation' | 'subject', value: string): string {
  return `${kind}:${value}`;
}

/** Values by which lists find an item, each once. */
function facetsOf(item: StoredItem): string[] {
  return [
    ANY,
    facet('goal', item.goalId),
    ...tracesOf(item).map((traceId) => facet('trace', traceId)),
    ...conversationsOf(item).map((conversationId) => facet('conversation', conversationId)),
    ...subjectsOf(item).map((subject) => facet('subject', subject)),
  ];
}

/** Keys by which the subject of an item is found. */
function subjectsOf({ subject: { name, userId } }: StoredItem): string[] {
  return [...new Set([name, ...(userId === null ? [] : [userId])].map(subjectKeyOf))];
}

export function revisionDocument({ projectId, ...item }: StoredItem, author: Author): RevisionDocument {
  const { id: itemId, revision, updatedAt: createdAt } = item;
  const conversationIds = conversationsOf(item);
  return { _id: `${itemId}:${revision}`, projectId, itemId, revision, author, item, conversationIds, createdAt };
}

/** Excludes the fields that callers do not see. */
export const WITHOUT_LIKENESS = {
  ...{ standing: 0, terms: 0, traceIds: 0, conversationIds: 0, subjects: 0, facets: 0, reviewed: 0 },
  ...{ textKey: 0, signature: 0, bands: 0, subjectKey: 0, embedding: 0, vectorBands: 0, sketch: 0 },
} as const;

export function itemOf(document: Omit<ItemDocument, keyof Filtered>): StoredItem {
  const { _id: id, projectId, goalId, status, title, content, kind, confidence, evidence, authority } = document;
  const { sourceTraceId, sourceConversationId, subject, saidAt, validFrom, validUntil, heldFrom, heldUntil } = document;
  const { reviewedAt, reviewedBy, supersedes, supersededBy, possiblyOutdatedBy } = document;
  return {
    ...{ id, projectId, goalId, status, title, content, kind, confidence, sourceTraceId, sourceConversationId },
    ...{ evidence, authority, subject, saidAt, validFrom, validUntil, heldFrom, heldUntil },
    ...{ reviewedAt, reviewedBy, supersedes, supersededBy, possiblyOutdatedBy },
    ...{ revision: document.revision, createdAt: document.createdAt, updatedAt: document.updatedAt },
  };
}
