import type { ItemStatus } from '@clew/contracts';
import { subjectKeyOf } from '@clew/knowledge';
import { mergeOrdered, takeSlice, type Slice, type SliceRequest } from '@clew/kernel';
import {
  changedSince,
  compareBy,
  compareKeys,
  keysetKey,
  NEWEST_FIRST,
  readSlice,
  walkInOrder,
  type Database,
  type KeysetSort,
  type Transaction,
} from '@clew/persistence';
import {
  itemCollection,
  itemFields,
  itemOf,
  itemRevisionCollection,
  revisionDocument,
  WITHOUT_LIKENESS,
  type RevisionDocument,
} from './item.model.ts';
import { STANDINGS, type Author, type ItemKey, type Standing, type StoredItem } from './item.ts';
import { searchTermsOf } from './search-terms.ts';

export interface ItemFilter {
  goalId?: string | undefined;
  status?: ItemStatus | undefined;
  sourceTraceId?: string | undefined;
  /** Name of the subject, or the id of the user that it is. */
  subject?: string | undefined;
  updatedAfter?: number | undefined;
  /** Time at which the items were held. */
  asOf?: number | undefined;
  q?: string | undefined;
}

export interface ItemStore {
  get(key: ItemKey, tx?: Transaction): Promise<StoredItem | undefined>;
  /** Reads up to some hundred items by id in one query; missing ones are left out. */
  getMany(projectId: string, ids: readonly string[]): Promise<Map<string, StoredItem>>;
  /** Lists items; a search lists those with all its words, and those of `near`: at most some dozens of ids. */
  list(
    projectId: string,
    filter: ItemFilter,
    slice: SliceRequest,
    near?: readonly string[],
  ): Promise<Slice<StoredItem>>;
  /** Walks through all items, newest first. */
  walk(projectId: string, filter: Pick<ItemFilter, 'goalId' | 'status' | 'subject'>): AsyncIterable<StoredItem>;
  /** Writes an item in its new state, and records that revision. */
  save(tx: Transaction, item: StoredItem, author: Author, more?: object): Promise<void>;
  revisions(key: ItemKey, slice: SliceRequest): Promise<Slice<RevisionDocument>>;
  /** Latest revision before that one. */
  revisionBefore(tx: Transaction, item: StoredItem): Promise<RevisionDocument | undefined>;
  /** Another item of the same goal with the same words: its id. */
  sameWords(tx: Transaction, item: StoredItem, textKey: string): Promise<string | undefined>;
  /** Items that may be outdated because of that one. */
  outdatedBy(tx: Transaction, item: StoredItem, limit: number): Promise<StoredItem[]>;
}

export const ITEMS = { name: 'items' } as const;
export const ITEM_REVISIONS = { name: 'item revisions' } as const;

const LATEST_FIRST: KeysetSort = [
  ['revision', -1],
  ['_id', -1],
];
/** Order of what was held at a time: the latest first. */
const LATEST_HELD: KeysetSort = [
  ['heldFrom', -1],
  ['_id', -1],
];
const WALK_BATCH = 500;

export function createItemStore(database: Database): ItemStore {
  const items = itemCollection(database);
  const revisions = itemRevisionCollection(database);

  async function itemsOf(ids: readonly string[], conditions: object): Promise<StoredItem[]> {
    const filter = { ...conditions, _id: { $in: [...ids] } };
    const found = items.find(filter, { projection: WITHOUT_LIKENESS, hint: { _id: 1 }, limit: ids.length });
    return (await found.toArray()).map(itemOf);
  }

  return {
    async get({ projectId, itemId }, tx) {
      const options = { projection: WITHOUT_LIKENESS, ...(tx === undefined ? {} : { session: tx }) };
      const found = await items.findOne({ _id: itemId, projectId }, options);
      return found === null ? undefined : itemOf(found);
    },

    async getMany(projectId, ids) {
      return new Map((await itemsOf(ids, { projectId })).map((item) => [item.id, item]));
    },

    async list(projectId, { q, updatedAfter, ...filter }, slice, near = []) {
      const isHistory = filter.asOf !== undefined && q === undefined && updatedAfter === undefined;
      const terms = q === undefined ? [] : searchTermsOf(q);
      // A search without any word finds nothing.
      if (q !== undefined && terms.length === 0) return { items: [], next: undefined };
      const changed = changedSince(updatedAfter);
      const order = isHistory ? LATEST_HELD : changed.order;
      const since = changed.filter;
      const conditions = { ...conditionsOf(projectId, filter), ...since };
      const found = terms.length === 0 ? {} : { terms: { $all: terms } };
      const read = { ...slice, filter: { ...conditions, ...found }, projection: WITHOUT_LIKENESS };
      if (near.length === 0) return await readSlice(items, order, read, itemOf);
      // Two separate reads: no index would give the order for one query with both alternatives.
      const keyOf = (item: StoredItem) => keysetKey(order, { ...item, _id: item.id });
      const compare = compareBy(order, keyOf);
      const byMeaning = (await itemsOf(near, { ...conditions, $nor: [found] })).filter(
        (item) => slice.after === undefined || compareKeys(order, keyOf(item), slice.after) > 0,
      );
      const merged = mergeOrdered(walkInOrder(items, order, read, itemOf), byMeaning.toSorted(compare), compare);
      return await takeSlice(merged, { limit: slice.limit, keyOf });
    },

    walk(projectId, filter) {
      const read = { filter: conditionsOf(projectId, filter), limit: WALK_BATCH, sparse: true };
      return walkInOrder(items, NEWEST_FIRST, { ...read, projection: WITHOUT_LIKENESS }, itemOf);
    },

    async save(tx, item, author, more = {}) {
      const { _id, projectId, ...fields } = itemFields(item);
      const set = { ...fields, ...more };
      await items.updateOne({ _id, projectId }, { $set: set }, { upsert: true, session: tx });
      await revisions.insertOne(revisionDocument(item, author), { session: tx });
    },

    async revisionBefore(tx, { projectId, id: itemId, revision }) {
      const earlier = revisions.find({ projectId, itemId, revision: { $lt: revision } }, { session: tx });
      const [latest] = await earlier.sort(Object.fromEntries(LATEST_FIRST)).limit(1).toArray();
      return latest;
    },

    async sameWords(tx, { id, projectId, goalId }, textKey) {
      const same = { projectId, goalId, textKey, _id: { $ne: id } };
      return (await items.findOne(same, { session: tx, projection: { _id: 1 } }))?._id;
    },

    async outdatedBy(tx, { projectId, id }, limit) {
      const outdated = items.find({ projectId, possiblyOutdatedBy: id }, { session: tx, projection: WITHOUT_LIKENESS });
      return (await outdated.limit(limit).toArray()).map(itemOf);
    },

    revisions({ projectId, itemId }, slice) {
      return readSlice(revisions, LATEST_FIRST, { filter: { projectId, itemId }, ...slice }, (found) => found);
    },
  };
}

/** Filter of a list. Each standing is read in order, because the indexes have the standing before the order. */
function conditionsOf(projectId: string, { goalId, status, sourceTraceId, subject, asOf }: ItemFilter) {
  return {
    projectId,
    ...(goalId === undefined ? {} : { goalId }),
    ...(asOf === undefined ? { standing: { $in: [...STANDINGS[status ?? 'any']] } } : heldAt(asOf)),
    ...(sourceTraceId === undefined ? {} : { traceIds: sourceTraceId }),
    ...(subject === undefined ? {} : { subjects: subjectKeyOf(subject) }),
  };
}

/** Filter of `isHeld`. */
function heldAt(asOf: number) {
  return {
    standing: { $in: ['active', 'superseded'] satisfies Standing[] },
    heldFrom: { $lte: asOf },
    $or: [{ heldUntil: null }, { heldUntil: { $gt: asOf } }],
  };
}
