import type { CursorKey } from '@clew/kernel';
import { keysetFilter, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import type { DatasetKey, ReadableVersion, StoredExample } from '../examples/example.ts';
import { NEWEST_FIRST, type WalkPage } from '../examples/examples.store.ts';
import {
  exampleCollection,
  fromExampleDocument,
  fromRevisionDocument,
  revisionCollection,
} from '../examples/example.model.ts';
import { mergeOrdered } from './merge-ordered.ts';

/** Examples as they were at a version: those that still are, and those that were replaced or deleted since. */
export interface ExampleHistory {
  get(key: DatasetKey, exampleId: string, version: number): Promise<StoredExample | undefined>;
  /** Newest first. The caller ends the walk when it has enough. */
  walk(key: DatasetKey, version: ReadableVersion, page: WalkPage): AsyncIterable<StoredExample>;
}

const REVISIONS_NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['exampleId', -1],
];

export function createExampleHistory(database: Database): ExampleHistory {
  const examples = exampleCollection(database);
  const revisions = revisionCollection(database);

  /** What was made later is younger than the version, so that the index is read from its time on. */
  function existingAt({ projectId, datasetId }: DatasetKey, { version, createdAt }: ReadableVersion) {
    return { projectId, datasetId, createdAt: { $lte: createdAt }, fromVersion: { $lte: version } };
  }

  async function* stillCurrent(session: Transaction, key: DatasetKey, version: ReadableVersion, page: WalkPage) {
    const { limit, after } = page;
    const filter = { $and: [existingAt(key, version), positionOf(NEWEST_FIRST, after)] };
    const found = examples.find(filter, { session, batchSize: limit, limit }).sort({ createdAt: -1, _id: -1 });
    for await (const document of found) yield fromExampleDocument(document);
  }

  async function* retiredSince(session: Transaction, key: DatasetKey, version: ReadableVersion, page: WalkPage) {
    const { limit, after } = page;
    const then = { ...existingAt(key, version), toVersion: { $gt: version.version } };
    const filter = { $and: [then, positionOf(REVISIONS_NEWEST_FIRST, after)] };
    const found = revisions.find(filter, { session, batchSize: limit }).sort({ createdAt: -1, exampleId: -1 });
    for await (const document of found) {
      const example = fromRevisionDocument(document);
      if (example !== undefined) yield example;
    }
  }

  return {
    async get(key, exampleId, version) {
      const { projectId, datasetId } = key;
      const current = await examples.findOne({ _id: exampleId, projectId, datasetId });
      // Replaced between the two queries, it is found by the second.
      if (current !== null && current.fromVersion <= version) return fromExampleDocument(current);
      const revision = await revisions.findOne({
        ...{ projectId, datasetId, exampleId },
        fromVersion: { $lte: version },
        toVersion: { $gt: version },
      });
      return revision === null ? undefined : fromRevisionDocument(revision);
    },

    async *walk(key, version, page) {
      // One snapshot for both, so that an Example that is replaced meanwhile is in exactly one of them.
      const session = database.connection.getClient().startSession({ snapshot: true });
      try {
        const current = stillCurrent(session, key, version, page);
        yield* mergeOrdered(current, retiredSince(session, key, version, page), newestFirst);
      } finally {
        await session.endSession();
      }
    },
  };
}

function positionOf(sort: KeysetSort, after: CursorKey | undefined): object {
  return after === undefined ? {} : keysetFilter(sort, after);
}

function newestFirst(a: StoredExample, b: StoredExample): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.id < b.id ? 1 : -1;
}
