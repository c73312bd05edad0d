import type { SliceRequest } from '@clew/kernel';
import { walkInOrder, type Database, type Transaction } from '@clew/persistence';
import { createExampleLists, EXAMPLES, type ListExamples } from './example-lists.store.ts';
import {
  exampleCollection,
  fromExampleDocument,
  revisionCollection,
  toExampleDocument,
  type RevisionDocument,
} from './example.model.ts';
import type { DatasetKey, StoredExample } from './example.ts';

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
  list: ListExamples;
  write(tx: Transaction, key: DatasetKey, writes: ExampleWrites): Promise<void>;
  /** Whether the Example existed and is deleted now. */
  wasDeleted(key: DatasetKey, exampleId: string, tx?: Transaction): Promise<boolean>;
  /** Erases the content of all former revisions of an Example. */
  erase(tx: Transaction, key: DatasetKey, exampleId: string): Promise<void>;
}

export function createExampleStore(database: Database): ExampleStore {
  const examples = exampleCollection(database);
  const revisions = revisionCollection(database);
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

    list: createExampleLists(database),

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
        const named = { _id: { $in: [...deleted] }, projectId, datasetId };
        await examples.deleteMany(named, { session: tx, hint: { _id: 1 } });
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
