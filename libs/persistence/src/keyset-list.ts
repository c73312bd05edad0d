import type { Model, mongo } from 'mongoose';
import type { CursorKey, ListDefinition, Slice, SliceRequest } from '@clew/kernel';
import { compareKeys, keysetFilter, keysetKey, type KeysetSort } from './keyset.ts';

/** List of documents: its name, its order, and its error for an invalid cursor. */
export interface KeysetList extends ListDefinition {
  order: KeysetSort;
}

/** Default order of lists, which stays stable for a walk while documents change. */
export const NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['_id', -1],
];

const OLDEST_CHANGE_FIRST: KeysetSort = [
  ['updatedAt', 1],
  ['_id', 1],
];

/**
 * Order and condition of a list that takes `updatedAfter`. With it, documents that changed at that time or later come,
 * oldest change first. A document that changes during a walk moves to the end, so that a client that continues from the
 * last `updatedAt` it saw misses nothing. Without it, newest first.
 */
export function changedSince(updatedAfter: number | undefined): { order: KeysetSort; filter: object } {
  if (updatedAfter === undefined) return { order: NEWEST_FIRST, filter: {} };
  return { order: OLDEST_CHANGE_FIRST, filter: { updatedAt: { $gte: updatedAfter } } };
}

/** Collection of Mongoose or of the driver. */
type Source<Document extends mongo.Document> = Model<Document> | mongo.Collection<Document>;

/** Slice of a collection. One document more than the limit is read, to tell whether the slice is the last. */
export interface KeysetRead extends SliceRequest {
  filter: object;
  /** True if some documents are skipped, so that no fixed number suffices: they are read in batches of the limit. */
  sparse?: boolean;
  projection?: mongo.Document;
  hint?: mongo.Hint;
  session?: mongo.ClientSession;
  /** Documents per batch, if not the whole slice. */
  batchSize?: number;
}

/** Queries the documents of a list after a key in the order, read from an index on the filter and the order. */
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

/**
 * Reads like `findInOrder` and maps each document to an item; undefined items are skipped. The reader stops when it has
 * enough.
 */
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

/** Reads one slice of a list from one collection. */
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

/** Compares items in the list's order, for merging the walks of several collections. */
export function compareBy<Item>(order: KeysetSort, keyOf: (item: Item) => CursorKey): (a: Item, b: Item) => number {
  return (a, b) => compareKeys(order, keyOf(a), keyOf(b));
}
