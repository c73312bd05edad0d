import type { Model, mongo } from 'mongoose';
import type { CursorKey, ListDefinition, Slice, SliceRequest } from '@clew/kernel';
import { compareKeys, keysetFilter, keysetKey, type KeysetSort } from './keyset.ts';

/** A list of documents: its name, its order, and how it refuses a cursor. */
export interface KeysetList extends ListDefinition {
  order: KeysetSort;
}

/** The order of lists in general, which a walk can trust while things change. */
export const NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['_id', -1],
];

const OLDEST_CHANGE_FIRST: KeysetSort = [
  ['updatedAt', 1],
  ['_id', 1],
];

/**
 * The order and the condition of a list that takes `updatedAfter`. With it, what changed then or later comes, oldest
 * change first: what changes during a walk moves to its end, so that whoever goes on from the last `updatedAt` they saw
 * misses nothing. Without it, newest first.
 */
export function changedSince(updatedAfter: number | undefined): { order: KeysetSort; filter: object } {
  if (updatedAfter === undefined) return { order: NEWEST_FIRST, filter: {} };
  return { order: OLDEST_CHANGE_FIRST, filter: { updatedAt: { $gte: updatedAfter } } };
}

/** A collection of Mongoose or of the driver. */
type Source<Document extends mongo.Document> = Model<Document> | mongo.Collection<Document>;

/** A slice of a collection. One document more than its limit is read, which tells whether it is the last. */
export interface KeysetRead extends SliceRequest {
  filter: object;
  /** Some documents are passed over, so that no number of them is enough: they come in batches of the limit. */
  sparse?: boolean;
  projection?: mongo.Document;
  hint?: mongo.Hint;
  session?: mongo.ClientSession;
  /** How many documents come at once, where not all of the slice. */
  batchSize?: number;
}

/** The query of a list: what comes after a key in the order, read from an index on the filter and the order. */
export function findInOrder<Document extends mongo.Document>(
  source: Source<Document>,
  order: KeysetSort,
  { filter, after, limit, sparse = false, ...options }: KeysetRead,
): mongo.FindCursor<Document> {
  const collection = (typeof source === 'function' ? source.collection : source) as mongo.Collection;
  const position = after === undefined ? filter : { $and: [filter, keysetFilter(order, after)] };
  const bounds = { batchSize: limit + 1, ...(sparse ? {} : { limit: limit + 1 }) };
  return collection.find<Document>(position, { ...bounds, ...options, sort: Object.fromEntries(order) });
}

/** The same, each document as an item; those that are undefined are left out. The reader ends it when it has enough. */
export async function* walkInOrder<Document extends mongo.Document, Item>(
  source: Source<Document>,
  order: KeysetSort,
  read: KeysetRead,
  toItem: (document: Document) => Item | undefined,
): AsyncGenerator<Item> {
  for await (const document of findInOrder(source, order, read)) {
    const item = toItem(document);
    if (item !== undefined) yield item;
  }
}

/** One slice of a list that is read from one collection. */
export async function readSlice<Document extends mongo.Document, Item>(
  source: Source<Document>,
  order: KeysetSort,
  read: KeysetRead,
  toItem: (document: Document) => Item,
): Promise<Slice<Item>> {
  const found = await findInOrder(source, order, read).toArray();
  const documents = found.slice(0, read.limit);
  const last = documents.at(-1);
  const hasMore = found.length > read.limit && last !== undefined;
  return { items: documents.map(toItem), next: hasMore ? keysetKey(order, last) : undefined };
}

/** Compares items as the order does, for merging the walks of several collections. */
export function compareBy<Item>(order: KeysetSort, keyOf: (item: Item) => CursorKey): (a: Item, b: Item) => number {
  return (a, b) => compareKeys(order, keyOf(a), keyOf(b));
}
