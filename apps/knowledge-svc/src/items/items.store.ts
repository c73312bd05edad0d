import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import { createItemLists, type ItemLists } from './item-lists.store.ts';
import {
  itemCollection,
  itemFields,
  itemOf,
  itemRevisionCollection,
  revisionDocument,
  WITHOUT_LIKENESS,
  type RevisionDocument,
} from './item.model.ts';
import type { Author, ItemKey, StoredItem } from './item.ts';

export interface ItemStore extends ItemLists {
  get(key: ItemKey, tx?: Transaction): Promise<StoredItem | undefined>;
  /** Reads up to some hundred items by id in one query; missing ones are left out. */
  getMany(projectId: string, ids: readonly string[]): Promise<Map<string, StoredItem>>;
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
export function createItemStore(database: Database): ItemStore {
  const items = itemCollection(database);
  const revisions = itemRevisionCollection(database);

  async function itemsOf(ids: readonly string[], conditions: object): Promise<StoredItem[]> {
    const filter = { ...conditions, _id: { $in: [...ids] } };
    const found = items.find(filter, { projection: WITHOUT_LIKENESS, hint: { _id: 1 }, limit: ids.length });
    return (await found.toArray()).map(itemOf);
  }

  return {
    ...createItemLists(database),

    async get({ projectId, itemId }, tx) {
      const options = { projection: WITHOUT_LIKENESS, ...(tx === undefined ? {} : { session: tx }) };
      const found = await items.findOne({ _id: itemId, projectId }, options);
      return found === null ? undefined : itemOf(found);
    },

    async getMany(projectId, ids) {
      return new Map((await itemsOf(ids, { projectId })).map((item) => [item.id, item]));
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
