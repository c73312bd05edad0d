import { mergeOrdered, type CursorKey, type SliceRequest } from '@clew/kernel';
import { compareBy, walkInOrder, type Database, type KeysetSort } from '@clew/persistence';
import { exampleCollection, revisionCollection, type DatasetKey } from '../examples/index.ts';

/** Example and the version that made or removed its state. */
export interface Trace {
  exampleId: string;
  version: number;
}

export interface VersionDiffStore {
  /** Walks through Examples that exist at `to` and were made after `from`: added or updated since. */
  walkMade(key: DatasetKey, range: VersionRange, walk: SliceRequest): AsyncIterable<Trace>;
  /** Walks through Examples that existed at `from` and were replaced or deleted by `to`. */
  walkRetired(key: DatasetKey, range: VersionRange, walk: SliceRequest): AsyncIterable<Trace>;
  /** Selects those of the Examples that existed at a version. */
  existingAt(key: DatasetKey, exampleIds: readonly string[], version: number): Promise<ReadonlySet<string>>;
}

export interface VersionRange {
  from: number;
  to: number;
}

const byVersion = (versionField: string, idField: string): KeysetSort => [
  [versionField, 1],
  [idField, 1],
];
const MADE_AND_CURRENT = byVersion('fromVersion', '_id');
const MADE_AND_RETIRED = byVersion('fromVersion', 'exampleId');
const RETIRED = byVersion('toVersion', 'exampleId');

export function traceKey({ version, exampleId }: Trace): CursorKey {
  return [version, exampleId];
}

const byTrace = compareBy(byVersion('version', 'exampleId'), traceKey);

export function createVersionDiffStore(database: Database): VersionDiffStore {
  const examples = exampleCollection(database);
  const revisions = revisionCollection(database);

  const madeAndCurrent = (key: DatasetKey, { from, to }: VersionRange, walk: SliceRequest) => {
    const filter = { ...key, fromVersion: { $gt: from, $lte: to } };
    const read = { filter, projection: { _id: 1, fromVersion: 1 }, ...walk, sparse: true };
    return walkInOrder(examples, MADE_AND_CURRENT, read, ({ _id, fromVersion }) => traceOf(_id, fromVersion));
  };

  const madeAndRetired = (key: DatasetKey, { from, to }: VersionRange, walk: SliceRequest) => {
    const filter = { ...key, fromVersion: { $gt: from, $lte: to }, toVersion: { $gt: to } };
    const read = { filter, projection: { _id: 0, exampleId: 1, fromVersion: 1 }, ...walk, sparse: true };
    return walkInOrder(revisions, MADE_AND_RETIRED, read, ({ exampleId, fromVersion }) =>
      traceOf(exampleId, fromVersion),
    );
  };

  return {
    // An Example that is replaced meanwhile is met in both sources; the second one is a duplicate of the same version,
    // and is skipped.
    async *walkMade({ projectId, datasetId }, range, walk) {
      const key = { projectId, datasetId };
      let last: Trace | undefined;
      const made = mergeOrdered(madeAndCurrent(key, range, walk), madeAndRetired(key, range, walk), byTrace);
      for await (const trace of made) {
        if (last === undefined || byTrace(last, trace) !== 0) yield trace;
        last = trace;
      }
    },

    walkRetired({ projectId, datasetId }, { from, to }, walk) {
      const filter = { projectId, datasetId, toVersion: { $gt: from, $lte: to }, fromVersion: { $lte: from } };
      const read = { filter, projection: { _id: 0, exampleId: 1, toVersion: 1 }, ...walk, sparse: true };
      return walkInOrder(revisions, RETIRED, read, ({ exampleId, toVersion }) => traceOf(exampleId, toVersion));
    },

    async existingAt({ projectId, datasetId }, exampleIds, version) {
      const ids = [...exampleIds];
      const current = examples.find(
        { _id: { $in: ids }, projectId, datasetId, fromVersion: { $lte: version } },
        { projection: { _id: 1 } },
      );
      const existing = new Set((await current.toArray()).map(({ _id }) => _id));
      const retired = revisions.find(
        { projectId, datasetId, exampleId: { $in: ids }, fromVersion: { $lte: version }, toVersion: { $gt: version } },
        { projection: { _id: 0, exampleId: 1 } },
      );
      for await (const { exampleId } of retired) existing.add(exampleId);
      return existing;
    },
  };
}

function traceOf(exampleId: string, version: number): Trace {
  return { exampleId, version };
}
