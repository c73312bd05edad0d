import { SOURCE_KINDS } from '@clew/contracts';
import { takeSlice, type Slice, type SliceLimits, type SliceRequest } from '@clew/kernel';
import {
  createValuedLists,
  NEWEST_FIRST,
  notAfter,
  walkInOrder,
  type Database,
  type IndexedValue,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import {
  exampleCollection,
  fromExampleDocument,
  LIST_INDEXES,
  revisionCollection,
  toExampleDocument,
  type RevisionDocument,
} from './example.model.ts';
import { searchTerms } from './example-terms.ts';
import { ANY, facet, placeKey, type DatasetKey, type SoughtFields, type StoredExample } from './example.ts';

/** Example that was replaced or deleted, with the first version without it. */
export interface RetiredExample {
  example: StoredExample;
  toVersion: number;
}

/** Writes of one transaction to the Examples of a Dataset. */
export interface ExampleWrites {
  inserted: readonly StoredExample[];
  replaced: readonly StoredExample[];
  /** Ids of deleted Examples. */
  deleted: readonly string[];
  retired: readonly RetiredExample[];
}

/** Examples of the current version that share a derivationKey. */
export interface DerivationGroup {
  count: number;
  /** Id of one of them: the only one if the count is 1. */
  exampleId: string;
}

export interface ExampleStore {
  get(key: DatasetKey, exampleId: string, tx?: Transaction): Promise<StoredExample | undefined>;
  getMany(tx: Transaction, key: DatasetKey, exampleIds: readonly string[]): Promise<Map<string, StoredExample>>;
  groupsOf(
    tx: Transaction,
    key: DatasetKey,
    derivationKeys: readonly string[],
  ): Promise<ReadonlyMap<string, DerivationGroup>>;
  /** Walks through the current Examples, newest first. The caller ends the walk when it has enough. */
  walk(key: DatasetKey, slice: SliceRequest): AsyncIterable<StoredExample>;
  /** Reads a page of the current Examples that a filter selects, newest first. */
  list(
    key: DatasetKey,
    filter: ExampleFilter,
    slice: SliceRequest & { size: SliceSize },
  ): Promise<Slice<StoredExample>>;
  write(tx: Transaction, key: DatasetKey, writes: ExampleWrites): Promise<void>;
  /** Whether the Example existed and is deleted now. */
  wasDeleted(key: DatasetKey, exampleId: string, tx?: Transaction): Promise<boolean>;
  /** Erases the content of all former revisions of an Example. */
  erase(tx: Transaction, key: DatasetKey, exampleId: string): Promise<void>;
}

/** Filter of the current Examples. */
export interface ExampleFilter {
  tag?: string | undefined;
  sourceKind?: SoughtFields['sourceKind'] | undefined;
  conversationId?: string | undefined;
  q?: string | undefined;
}

type SliceSize = NonNullable<SliceLimits<StoredExample>['size']>;

/** Excludes the fields by which lists find Examples. */
const UNSOUGHT = { sourceKind: 0, facets: 0, terms: 0 } as const;

export const EXAMPLES: KeysetList = { name: 'examples', order: NEWEST_FIRST };

export function createExampleStore(database: Database): ExampleStore {
  const examples = exampleCollection(database);
  const revisions = revisionCollection(database);
  const lists = createValuedLists(database, examples);
  return {
    async get({ projectId, datasetId }, exampleId, tx) {
      const document = await examples.findOne({ _id: exampleId, projectId, datasetId }, sessionOf(tx));
      return document === null ? undefined : fromExampleDocument(document);
    },

    async getMany(tx, { projectId, datasetId }, exampleIds) {
      if (exampleIds.length === 0) return new Map();
      const filter = { _id: { $in: [...exampleIds] }, projectId, datasetId };
      const found = examples.find(filter, { session: tx });
      return new Map((await found.toArray()).map((document) => [document._id, fromExampleDocument(document)]));
    },

    async groupsOf(tx, { projectId, datasetId }, derivationKeys) {
      if (derivationKeys.length === 0) return new Map();
      const groups = examples.aggregate<DerivationGroup & { _id: string }>(
        [
          { $match: { projectId, datasetId, derivationKey: { $in: [...new Set(derivationKeys)] } } },
          { $group: { _id: '$derivationKey', count: { $sum: 1 }, exampleId: { $first: '$_id' } } },
        ],
        { session: tx },
      );
      return new Map((await groups.toArray()).map(({ _id, ...group }) => [_id, group]));
    },

    walk: ({ projectId, datasetId }, slice) =>
      walkInOrder(examples, EXAMPLES.order, { filter: { projectId, datasetId }, ...slice }, fromExampleDocument),

    async list({ projectId, datasetId }, { tag, conversationId, sourceKind, q }, { size, ...slice }) {
      const words = q === undefined ? [] : searchTerms(q);
      // A search text without any word finds nothing.
      if (q !== undefined && words.length === 0) return { items: [], next: undefined };
      const values: IndexedValue[] = [
        ...(tag === undefined ? [] : [{ field: 'facets', value: facet('tag', tag) }]),
        ...(conversationId === undefined ? [] : [{ field: 'facets', value: facet('conversation', conversationId) }]),
        ...words.map((value) => ({ field: 'terms', value })),
      ];
      const plan = await lists.planOf(
        {
          scope: { projectId, datasetId },
          values: values.length === 0 ? [{ field: 'facets', value: ANY }] : values,
          indexed: { sourceKind: sourceKind ?? { $in: [...SOURCE_KINDS] } },
          compared: [],
        },
        indexOf,
      );
      const { order } = EXAMPLES;
      const hint = indexOf(plan.value.field);
      const end = await lists.endOf(plan, { order, hint, after: slice.after });
      const within = end === undefined ? [] : [notAfter(order, end)];
      const filter = { $and: [plan.indexed, ...within, ...plan.compared] };
      const walk = walkInOrder(examples, order, { filter, hint, projection: UNSOUGHT, ...slice }, fromExampleDocument);
      const found = await takeSlice(walk, { limit: slice.limit, keyOf: placeKey, size });
      return found.next === undefined ? { items: found.items, next: end } : found;
    },

    async write(tx, { projectId, datasetId }, { inserted, replaced, deleted, retired }) {
      const options = { session: tx, ordered: true };
      if (retired.length > 0) await revisions.insertMany(retired.map(revisionOf), options);
      if (inserted.length > 0) await examples.insertMany(inserted.map(toExampleDocument), options);
      if (replaced.length > 0) {
        const replacements = replaced.map((example) => {
          const { _id, ...replacement } = toExampleDocument(example);
          return { replaceOne: { filter: { _id, projectId, datasetId }, replacement } };
        });
        await examples.bulkWrite(replacements, options);
      }
      if (deleted.length > 0) {
        await examples.deleteMany({ _id: { $in: [...deleted] }, projectId, datasetId }, { session: tx });
      }
    },

    async wasDeleted({ projectId, datasetId }, exampleId, tx) {
      const filter = { projectId, datasetId, exampleId };
      return (await revisions.findOne(filter, { ...sessionOf(tx), projection: { _id: 1 } })) !== null;
    },

    async erase(tx, { projectId, datasetId }, exampleId) {
      await revisions.updateMany(
        { projectId, datasetId, exampleId },
        { $unset: { body: '', derivationKey: '', conversationId: '', split: '', signature: '' } },
        { session: tx },
      );
    },
  };
}

function sessionOf(tx: Transaction | undefined): { session?: Transaction } {
  return tx === undefined ? {} : { session: tx };
}

function revisionOf({ example, toVersion }: RetiredExample): RevisionDocument {
  const { id, sought: _sought, ...rest } = example;
  return { _id: `${id}:${example.fromVersion}`, exampleId: id, ...rest, toVersion };
}

function indexOf(field: string): string {
  return field === 'terms' ? LIST_INDEXES.terms : LIST_INDEXES.facets;
}
