import { MAX_DIFFED_EXAMPLES, type VersionChange } from '@clew/contracts';
import {
  notFound,
  page,
  type CursorCodec,
  type CursorKey,
  type ListDefinition,
  type PageQuery,
  type Slice,
  type SliceRequest,
} from '@clew/kernel';
import type { DatasetKey, DatasetLookup, ExampleReader } from '../examples/index.ts';
import type { IncludeExamples } from './include-examples.ts';
import { traceKey, type Trace, type VersionDiffStore, type VersionRange } from './version-diff.store.ts';
import { VERSIONS, type VersionStore } from './versions.store.ts';

export interface VersionsDependencies {
  datasets: DatasetLookup;
  versions: VersionStore;
  reader: ExampleReader;
  diffs: VersionDiffStore;
  /** Adds the Examples to changes; it may take only the first of them. */
  includeExamples: IncludeExamples;
  cursors: CursorCodec;
}

const VERSION_DIFF: ListDefinition = { name: 'version-diff' };

/** Parts of a diff, one after the other; the position in a cursor begins with the part. */
const MADE = 0;
const RETIRED = 1;
const DEFAULT_LIMIT = 100;
/** Rows looked at per slice, even if most of them are no change. */
const MAX_LOOKED_AT = 5_000;

interface Step {
  part: typeof MADE | typeof RETIRED;
  trace: Trace;
}

export type VersionsService = ReturnType<typeof createVersionsService>;

export function createVersionsService(deps: VersionsDependencies) {
  const { datasets, versions, reader, diffs, cursors } = deps;

  async function* steps(key: DatasetKey, range: VersionRange, { limit, after }: SliceRequest) {
    const [part = MADE, ...position] = after ?? [];
    if (part === MADE) {
      const page = { limit, after: position.length === 0 ? undefined : position };
      for await (const trace of diffs.walkMade(key, range, page)) yield { part: MADE, trace } satisfies Step;
    }
    const page = { limit, after: part === RETIRED ? position : undefined };
    for await (const trace of diffs.walkRetired(key, range, page)) yield { part: RETIRED, trace } satisfies Step;
  }

  /** Changes among the steps. */
  async function changesOf(key: DatasetKey, { from, to }: VersionRange, taken: readonly Step[]) {
    const idsOf = (part: Step['part']) =>
      taken.filter((step) => step.part === part).map(({ trace }) => trace.exampleId);
    const [before, after] = await Promise.all([
      diffs.existingAt(key, idsOf(MADE), from),
      diffs.existingAt(key, idsOf(RETIRED), to),
    ]);
    return taken.flatMap(({ part, trace }): VersionChange | [] => {
      if (part === MADE) return { ...trace, change: before.has(trace.exampleId) ? 'updated' : 'added' };
      // An Example that still exists at `to` was already reported as updated.
      return after.has(trace.exampleId) ? [] : { ...trace, change: 'removed' };
    });
  }

  async function changesBetween(
    key: DatasetKey,
    range: VersionRange,
    slice: SliceRequest,
  ): Promise<Slice<VersionChange>> {
    const { limit } = slice;
    const changes: VersionChange[] = [];
    let taken: Step[] = [];
    let lookedAt = 0;
    let reached: CursorKey | undefined;
    for await (const step of steps(key, range, slice)) {
      if (changes.length + taken.length === limit) {
        changes.push(...(await changesOf(key, range, taken)));
        taken = [];
      }
      if (changes.length === limit || lookedAt === MAX_LOOKED_AT) {
        return { items: [...changes, ...(await changesOf(key, range, taken))], next: reached };
      }
      taken.push(step);
      reached = stepKey(step);
      lookedAt += 1;
    }
    return { items: [...changes, ...(await changesOf(key, range, taken))], next: undefined };
  }

  return {
    async list({ projectId, datasetId }: DatasetKey, query: PageQuery) {
      const request = { projectId, filters: { datasetId }, ...query };
      const { items, nextCursor } = await page(cursors, VERSIONS, request, async (slice) => {
        if ((await datasets.get(projectId, datasetId)) === undefined) throw notFound();
        return versions.list({ projectId, datasetId }, slice);
      });
      return { versions: items, nextCursor };
    },

    async diff(key: DatasetKey, { from, to, include, limit: wanted, cursor }: DiffQuery) {
      const { projectId, datasetId } = key;
      const limit = wanted ?? (include === undefined ? DEFAULT_LIMIT : MAX_DIFFED_EXAMPLES);
      const request = { projectId, filters: { datasetId, from, to, include }, limit, cursor };
      const { items, nextCursor, ends } = await page(cursors, VERSION_DIFF, request, async (slice) => {
        const ends = await Promise.all([reader.versionOf(key, from), reader.versionOf(key, to)]);
        const changes = await changesBetween(key, { from, to }, slice);
        return { ...(include === undefined ? changes : await withExamples(key, { from, to }, changes)), ends };
      });
      return { from: ends[0], to: ends[1], changes: items, nextCursor };
    },
  };

  async function withExamples(key: DatasetKey, range: VersionRange, { items, next }: Slice<VersionChange>) {
    const included = await deps.includeExamples(key, range, items);
    const last = included.at(-1);
    return { items: included, next: last === undefined || included.length === items.length ? next : changeKey(last) };
  }
}

interface DiffQuery extends VersionRange, Pick<PageQuery, 'cursor'> {
  limit?: number | undefined;
  include?: 'examples' | undefined;
}

/** Position of a change in the diff. */
function changeKey({ change, exampleId, version }: VersionChange): CursorKey {
  return stepKey({ part: change === 'removed' ? RETIRED : MADE, trace: { exampleId, version } });
}

function stepKey({ part, trace }: Step): CursorKey {
  return [part, ...traceKey(trace)];
}
