import { mergeOrdered, type SliceRequest } from '@clew/kernel';
import { compareBy, walkInOrder, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import { exampleCollection, fromExampleDocument, fromRevisionDocument, revisionCollection } from './example.model.ts';
import type { DatasetKey, ReadableVersion, StoredExample } from './example.ts';
import { EXAMPLES } from './example-lists.store.ts';

/** Examples as they were at a version: those that still exist, and those that were replaced or deleted since. */
export interface ExampleHistory {
  get(key: DatasetKey, exampleId: string, version: number): Promise<StoredExample | undefined>;
  /** Walks through Examples, newest first. The caller ends the walk when it has enough. */
  walk(key: DatasetKey, version: ReadableVersion, slice: HistorySlice): AsyncIterable<StoredExample>;
  /** Walks through their places only, which the index holds, so no document is read. */
  walkPlaces(key: DatasetKey, version: ReadableVersion, slice: SliceRequest): AsyncIterable<ExamplePlace>;
}

/** Place of an Example in the list. */
export type ExamplePlace = Pick<StoredExample, 'id' | 'createdAt'>;

export interface HistorySlice extends SliceRequest {
  /** Places to which the walk is limited; the last one ends it. */
  only?: readonly ExamplePlace[];
}

const REVISIONS_NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['exampleId', -1],
];

const NEWEST_FIRST_INDEX = 'newest_first';
const PLACES = { hint: NEWEST_FIRST_INDEX, batchSize: 5_000 };

const newestFirst = compareBy(EXAMPLES.order, ({ createdAt, id }: ExamplePlace) => [createdAt, id]);

export function createExampleHistory(database: Database): ExampleHistory {
  const examples = exampleCollection(database);
  const revisions = revisionCollection(database);

  const stillCurrent = (session: Transaction, key: DatasetKey, version: ReadableVersion, request: HistorySlice) => {
    const { only, ...slice } = request;
    const filter = { $and: [existingAt(key, version), placesFilter('_id', only)] };
    const read = { filter, ...slice, hint: NEWEST_FIRST_INDEX, session };
    return walkInOrder(examples, EXAMPLES.order, read, fromExampleDocument);
  };

  const retiredSince = (session: Transaction, key: DatasetKey, version: ReadableVersion, request: HistorySlice) => {
    const { only, ...slice } = request;
    const filter = { $and: [retiredAfter(key, version), placesFilter('exampleId', only)] };
    // The read is `sparse`, because erased revisions are skipped.
    const read = { filter, ...slice, sparse: true, hint: NEWEST_FIRST_INDEX, session };
    return walkInOrder(revisions, REVISIONS_NEWEST_FIRST, read, fromRevisionDocument);
  };

  const currentPlaces = (session: Transaction, key: DatasetKey, version: ReadableVersion, slice: SliceRequest) => {
    const projection = { _id: 1, createdAt: 1 };
    const read = { filter: existingAt(key, version), ...slice, ...PLACES, projection, session };
    return walkInOrder(examples, EXAMPLES.order, read, ({ _id, createdAt }) => ({ id: _id, createdAt }));
  };

  const retiredPlaces = (session: Transaction, key: DatasetKey, version: ReadableVersion, slice: SliceRequest) => {
    const projection = { _id: 0, exampleId: 1, createdAt: 1 };
    const read = { filter: retiredAfter(key, version), ...slice, ...PLACES, projection, session };
    return walkInOrder(revisions, REVISIONS_NEWEST_FIRST, read, ({ exampleId, createdAt }) => ({
      ...{ id: exampleId, createdAt },
    }));
  };

  /** Reads both sides in one snapshot, so that an Example that is replaced meanwhile is in exactly one of them. */
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
      // An Example that is replaced between the two queries is found by the second one.
      if (current !== null && current.fromVersion <= version) return fromExampleDocument(current);
      const revision = await revisions.findOne({
        ...{ projectId, datasetId, exampleId },
        fromVersion: { $lte: version },
        toVersion: { $gt: version },
      });
      return revision === null ? undefined : fromRevisionDocument(revision);
    },

    walk: (key, version, slice) =>
      inOneSnapshot(
        (session) => stillCurrent(session, key, version, slice),
        (session) => retiredSince(session, key, version, slice),
      ),

    walkPlaces: (key, version, slice) =>
      inOneSnapshot(
        (session) => currentPlaces(session, key, version, slice),
        (session) => retiredPlaces(session, key, version, slice),
      ),
  };
}

/**
 * Filters Examples that existed at a version. Later Examples are newer than the version, so the index is read from its
 * time on.
 */
function existingAt({ projectId, datasetId }: DatasetKey, { version, createdAt }: ReadableVersion) {
  return { projectId, datasetId, createdAt: { $lte: createdAt }, fromVersion: { $lte: version } };
}

function retiredAfter(key: DatasetKey, version: ReadableVersion) {
  return { ...existingAt(key, version), toVersion: { $gt: version.version } };
}

function placesFilter(idField: '_id' | 'exampleId', places: readonly ExamplePlace[] | undefined): object {
  const last = places?.at(-1);
  if (places === undefined || last === undefined) return {};
  return { createdAt: { $gte: last.createdAt }, [idField]: { $in: places.map(({ id }) => id) } };
}
