import type { CursorKey } from '@clew/kernel';
import { keysetFilter, type Database, type KeysetSort } from '@clew/persistence';
import { exampleCollection, mergeOrdered, revisionCollection, type DatasetKey } from '../examples/index.ts';

/** What one Example was made, or taken away, by; as it stands at the later version. */
export interface Trace {
  exampleId: string;
  version: number;
}

export interface VersionDiffStore {
  /** What exists at `to` and was made after `from`: added or updated since. */
  walkMade(key: DatasetKey, range: VersionRange, page: DiffPage): AsyncIterable<Trace>;
  /** What existed at `from` and was replaced or deleted by `to`. */
  walkRetired(key: DatasetKey, range: VersionRange, page: DiffPage): AsyncIterable<Trace>;
  /** Of the Examples, those that existed at a version. */
  existingAt(key: DatasetKey, exampleIds: readonly string[], version: number): Promise<ReadonlySet<string>>;
}

export interface VersionRange {
  from: number;
  to: number;
}

export interface DiffPage {
  limit: number;
  after?: CursorKey | undefined;
}

const byMaker = (idField: string): KeysetSort => [
  ['fromVersion', 1],
  [idField, 1],
];
const BY_REMOVER: KeysetSort = [
  ['toVersion', 1],
  ['exampleId', 1],
];

export function createVersionDiffStore(database: Database): VersionDiffStore {
  const examples = exampleCollection(database);
  const revisions = revisionCollection(database);

  async function* madeAndCurrent({ projectId, datasetId }: DatasetKey, { from, to }: VersionRange, page: DiffPage) {
    const range = { projectId, datasetId, fromVersion: { $gt: from, $lte: to } };
    const found = examples
      .find({ $and: [range, positionOf(byMaker('_id'), page.after)] }, { projection: { _id: 1, fromVersion: 1 } })
      .sort({ fromVersion: 1, _id: 1 })
      .batchSize(page.limit);
    for await (const { _id, fromVersion } of found) yield { exampleId: _id, version: fromVersion };
  }

  async function* madeAndRetired({ projectId, datasetId }: DatasetKey, { from, to }: VersionRange, page: DiffPage) {
    const range = { projectId, datasetId, fromVersion: { $gt: from, $lte: to }, toVersion: { $gt: to } };
    const found = revisions
      .find(
        { $and: [range, positionOf(byMaker('exampleId'), page.after)] },
        { projection: { _id: 0, exampleId: 1, fromVersion: 1 } },
      )
      .sort({ fromVersion: 1, exampleId: 1 })
      .batchSize(page.limit);
    for await (const { exampleId, fromVersion } of found) yield { exampleId, version: fromVersion };
  }

  return {
    // What is replaced meanwhile is met in both, once each: the later is the same Example of the same version.
    async *walkMade(key, range, page) {
      let last: Trace | undefined;
      for await (const trace of mergeOrdered(
        madeAndCurrent(key, range, page),
        madeAndRetired(key, range, page),
        byTrace,
      )) {
        if (last === undefined || byTrace(last, trace) !== 0) yield trace;
        last = trace;
      }
    },

    async *walkRetired({ projectId, datasetId }, { from, to }, { limit, after }) {
      const range = { projectId, datasetId, toVersion: { $gt: from, $lte: to }, fromVersion: { $lte: from } };
      const found = revisions
        .find({ $and: [range, positionOf(BY_REMOVER, after)] }, { projection: { _id: 0, exampleId: 1, toVersion: 1 } })
        .sort({ toVersion: 1, exampleId: 1 })
        .batchSize(limit);
      for await (const { exampleId, toVersion } of found) yield { exampleId, version: toVersion };
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

function positionOf(sort: KeysetSort, after: CursorKey | undefined): object {
  return after === undefined ? {} : keysetFilter(sort, after);
}

function byTrace(a: Trace, b: Trace): number {
  if (a.version !== b.version) return a.version - b.version;
  if (a.exampleId === b.exampleId) return 0;
  return a.exampleId < b.exampleId ? -1 : 1;
}
