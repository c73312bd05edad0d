import type { CursorKey } from '@clew/kernel';
import { keysetFilter, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import { exampleCollection, fromExampleDocument, fromRevisionDocument, revisionCollection } from './example.model.ts';
import type { DatasetKey, ReadableVersion, StoredExample } from './example.ts';
import { NEWEST_FIRST, type WalkPage } from './examples.store.ts';
import { mergeOrdered } from './merge-ordered.ts';

/** Examples as they were at a version: those that still are, and those that were replaced or deleted since. */
export interface ExampleHistory {
  get(key: DatasetKey, exampleId: string, version: number): Promise<StoredExample | undefined>;
  /** Newest first. The caller ends the walk when it has enough. */
  walk(key: DatasetKey, version: ReadableVersion, page: HistoryPage): AsyncIterable<StoredExample>;
  /** The same, of their places alone, which the index tells without reading one of them. */
  walkPlaces(key: DatasetKey, version: ReadableVersion, page: WalkPage): AsyncIterable<ExamplePlace>;
}

/** Where an Example stands in the list. */
export type ExamplePlace = Pick<StoredExample, 'id' | 'createdAt'>;

export interface HistoryPage extends WalkPage {
  /** These alone; the last one ends the walk. */
  only?: readonly ExamplePlace[];
}

const REVISIONS_NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['exampleId', -1],
];

const NEWEST_FIRST_INDEX = 'newest_first';
const PLACES_AT_ONCE = 5_000;

export function createExampleHistory(database: Database): ExampleHistory {
  const examples = exampleCollection(database);
  const revisions = revisionCollection(database);

  async function* stillCurrent(session: Transaction, key: DatasetKey, version: ReadableVersion, page: HistoryPage) {
    const { limit } = page;
    const found = examples
      .find(currentFilter(key, version, page), { session, batchSize: limit, limit })
      .sort({ createdAt: -1, _id: -1 })
      .hint(NEWEST_FIRST_INDEX);
    for await (const document of found) yield fromExampleDocument(document);
  }

  async function* retiredSince(session: Transaction, key: DatasetKey, version: ReadableVersion, page: HistoryPage) {
    const found = revisions
      .find(retiredFilter(key, version, page), { session, batchSize: page.limit })
      .sort({ createdAt: -1, exampleId: -1 })
      .hint(NEWEST_FIRST_INDEX);
    for await (const document of found) {
      const example = fromRevisionDocument(document);
      if (example !== undefined) yield example;
    }
  }

  async function* currentPlaces(session: Transaction, key: DatasetKey, version: ReadableVersion, page: WalkPage) {
    const found = examples
      .find(currentFilter(key, version, page), { session, batchSize: PLACES_AT_ONCE, limit: page.limit })
      .project<{ _id: string; createdAt: number }>({ _id: 1, createdAt: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .hint(NEWEST_FIRST_INDEX);
    for await (const { _id, createdAt } of found) yield { id: _id, createdAt };
  }

  async function* retiredPlaces(session: Transaction, key: DatasetKey, version: ReadableVersion, page: WalkPage) {
    const found = revisions
      .find(retiredFilter(key, version, page), { session, batchSize: PLACES_AT_ONCE, limit: page.limit })
      .project<{ exampleId: string; createdAt: number }>({ _id: 0, exampleId: 1, createdAt: 1 })
      .sort({ createdAt: -1, exampleId: -1 })
      .hint(NEWEST_FIRST_INDEX);
    for await (const { exampleId, createdAt } of found) yield { id: exampleId, createdAt };
  }

  /** One snapshot for both, so that an Example that is replaced meanwhile is in exactly one of them. */
  async function* inOneSnapshot<Item extends ExamplePlace>(
    current: (session: Transaction) => AsyncIterable<Item>,
    retired: (session: Transaction) => AsyncIterable<Item>,
  ): AsyncGenerator<Item> {
    const session = database.connection.getClient().startSession({ snapshot: true });
    try {
      yield* mergeOrdered(current(session), retired(session), newestFirst);
    } finally {
      await session.endSession();
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

    walk: (key, version, page) =>
      inOneSnapshot(
        (session) => stillCurrent(session, key, version, page),
        (session) => retiredSince(session, key, version, page),
      ),

    walkPlaces: (key, version, page) =>
      inOneSnapshot(
        (session) => currentPlaces(session, key, version, page),
        (session) => retiredPlaces(session, key, version, page),
      ),
  };
}

/** What was made later is younger than the version, so that the index is read from its time on. */
function existingAt({ projectId, datasetId }: DatasetKey, { version, createdAt }: ReadableVersion) {
  return { projectId, datasetId, createdAt: { $lte: createdAt }, fromVersion: { $lte: version } };
}

function currentFilter(key: DatasetKey, version: ReadableVersion, { after, only }: HistoryPage) {
  return { $and: [existingAt(key, version), positionOf(NEWEST_FIRST, after), placesFilter('_id', only)] };
}

function retiredFilter(key: DatasetKey, version: ReadableVersion, { after, only }: HistoryPage) {
  const then = { ...existingAt(key, version), toVersion: { $gt: version.version } };
  return { $and: [then, positionOf(REVISIONS_NEWEST_FIRST, after), placesFilter('exampleId', only)] };
}

function placesFilter(idField: '_id' | 'exampleId', places: readonly ExamplePlace[] | undefined): object {
  const last = places?.at(-1);
  if (places === undefined || last === undefined) return {};
  return { createdAt: { $gte: last.createdAt }, [idField]: { $in: places.map(({ id }) => id) } };
}

function positionOf(sort: KeysetSort, after: CursorKey | undefined): object {
  return after === undefined ? {} : keysetFilter(sort, after);
}

function newestFirst(a: ExamplePlace, b: ExamplePlace): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.id < b.id ? 1 : -1;
}
