import type { VersionChange } from '@clew/contracts';
import { exampleView, MAX_SLICE_SIZE, type DatasetKey, type ExampleHistory } from '../examples/index.ts';
import type { VersionRange } from './version-diff.store.ts';

/** Adds to changes the Examples before and after; large ones end the result early, but never before the first change. */
export type IncludeExamples = (
  key: DatasetKey,
  range: VersionRange,
  changes: readonly VersionChange[],
) => Promise<VersionChange[]>;

/** Changes whose Examples are read at a time: they are in memory before their sizes are known. */
const READ_AT_A_TIME = 5;

export function createIncludeExamples(history: Pick<ExampleHistory, 'get'>): IncludeExamples {
  async function bothOf(key: DatasetKey, { from, to }: VersionRange, { exampleId, change }: VersionChange) {
    const [before, after] = await Promise.all([
      change === 'added' ? undefined : history.get(key, exampleId, from),
      change === 'removed' ? undefined : history.get(key, exampleId, to),
    ]);
    return { before, after, size: (before?.body.length ?? 0) + (after?.body.length ?? 0) };
  }

  return async (key, range, changes) => {
    const included: VersionChange[] = [];
    let totalSize = 0;
    for (let start = 0; start < changes.length; start += READ_AT_A_TIME) {
      const some = changes.slice(start, start + READ_AT_A_TIME);
      const read = await Promise.all(some.map(async (change) => ({ change, ...(await bothOf(key, range, change)) })));
      for (const { change, before, after, size } of read) {
        totalSize += size;
        if (totalSize > MAX_SLICE_SIZE.max && included.length > 0) return included;
        included.push({
          ...change,
          before: before === undefined ? null : exampleView(before),
          after: after === undefined ? null : exampleView(after),
        });
      }
    }
    return included;
  };
}
