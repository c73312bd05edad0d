import type { VersionChange } from '@clew/contracts';
import { notFound, type CursorCodec, type CursorKey } from '@clew/kernel';
import type { DatasetKey, DatasetLookup, ExampleReader } from '../examples/index.ts';
import { nextCursorOf, positionOf } from '../list-page.ts';
import type { Trace, VersionDiffStore, VersionRange } from './version-diff.store.ts';
import type { VersionStore } from './versions.store.ts';

export interface VersionsDependencies {
  datasets: DatasetLookup;
  versions: VersionStore;
  reader: ExampleReader;
  diffs: VersionDiffStore;
  cursors: CursorCodec;
}

interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

/** The two parts of a diff, one after the other; the position of a cursor begins with it. */
const MADE = 0;
const RETIRED = 1;
/** A page ends after so many rows were looked at, also where most of them made no difference. */
const MAX_LOOKED_AT = 5_000;

interface Step {
  part: typeof MADE | typeof RETIRED;
  trace: Trace;
}

export type VersionsService = ReturnType<typeof createVersionsService>;

export function createVersionsService({ datasets, versions, reader, diffs, cursors }: VersionsDependencies) {
  async function* steps(key: DatasetKey, range: VersionRange, limit: number, after: CursorKey | undefined) {
    const [part = MADE, ...position] = after ?? [];
    if (part === MADE) {
      const page = { limit, after: position.length === 0 ? undefined : position };
      for await (const trace of diffs.walkMade(key, range, page)) yield { part: MADE, trace } satisfies Step;
    }
    const page = { limit, after: part === RETIRED ? position : undefined };
    for await (const trace of diffs.walkRetired(key, range, page)) yield { part: RETIRED, trace } satisfies Step;
  }

  /** What made a difference, of the steps. */
  async function changesOf(key: DatasetKey, { from, to }: VersionRange, taken: readonly Step[]) {
    const idsOf = (part: Step['part']) =>
      taken.filter((step) => step.part === part).map(({ trace }) => trace.exampleId);
    const [before, after] = await Promise.all([
      diffs.existingAt(key, idsOf(MADE), from),
      diffs.existingAt(key, idsOf(RETIRED), to),
    ]);
    return taken.flatMap(({ part, trace }): VersionChange | [] => {
      if (part === MADE) return { ...trace, change: before.has(trace.exampleId) ? 'updated' : 'added' };
      // What exists still was told as updated.
      return after.has(trace.exampleId) ? [] : { ...trace, change: 'removed' };
    });
  }

  return {
    async list(key: DatasetKey, { limit, cursor }: PageQuery) {
      const { projectId, datasetId } = key;
      const scope = { list: 'dataset-versions', projectId, filters: { datasetId } };
      const after = positionOf(cursors, scope, cursor);
      if ((await datasets.get(projectId, datasetId)) === undefined) throw notFound();
      const found = await versions.list(key, { limit: limit + 1, after });
      const page = { items: found.slice(0, limit), more: found.length > limit };
      return { versions: page.items, nextCursor: nextCursorOf(cursors, scope, page, ({ version }) => [version]) };
    },

    async diff(key: DatasetKey, { from, to, limit, cursor }: VersionRange & PageQuery) {
      const { projectId, datasetId } = key;
      const scope = { list: 'version-diff', projectId, filters: { datasetId, from, to } };
      const after = positionOf(cursors, scope, cursor);
      const ends = await Promise.all([reader.versionOf(key, from), reader.versionOf(key, to)]);
      const changes: VersionChange[] = [];
      let taken: Step[] = [];
      let lookedAt = 0;
      let last: Step | undefined;
      let more = false;
      for await (const step of steps(key, { from, to }, limit, after)) {
        if (changes.length + taken.length === limit) {
          changes.push(...(await changesOf(key, { from, to }, taken)));
          taken = [];
        }
        if (changes.length === limit || lookedAt === MAX_LOOKED_AT) {
          more = true;
          break;
        }
        taken.push(step);
        last = step;
        lookedAt += 1;
      }
      changes.push(...(await changesOf(key, { from, to }, taken)));
      const page = { items: last === undefined ? [] : [last], more };
      const keyOf = ({ part, trace }: Step) => [part, trace.version, trace.exampleId];
      return { from: ends[0], to: ends[1], changes, nextCursor: nextCursorOf(cursors, scope, page, keyOf) };
    },
  };
}
