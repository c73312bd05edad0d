import type { DatasetKey, ExampleTraitsStore, ReadableVersion } from '../examples/index.ts';
import { SplitGroups } from './split-groups.ts';

export interface SplitsService {
  /** Returns the groups of a version; they are computed on demand and cached for a while. */
  groupsOf(key: DatasetKey, version: ReadableVersion): Promise<SplitGroups>;
}

/** Cache limit in Examples; the groups of a million Examples take some 30 MB. */
const MAX_KEPT_EXAMPLES = 2_000_000;

export function createSplitsService(traits: ExampleTraitsStore): SplitsService {
  /** Cached groups; the most recently used come last. */
  const kept = new Map<string, SplitGroups>();
  /** Tail of the queue of computations: one at a time, because each takes some 150 MB for a million Examples. */
  let previous: Promise<unknown> = Promise.resolve();

  async function find(name: string, key: DatasetKey, { version, exampleCount }: ReadableVersion): Promise<SplitGroups> {
    const groups = kept.get(name) ?? (await SplitGroups.of(traits.pages(key, version), exampleCount));
    kept.delete(name);
    kept.set(name, groups);
    dropOldest(kept);
    return groups;
  }

  return {
    groupsOf(key, version) {
      const name = `${key.projectId}/${key.datasetId}/${version.version}`;
      const found = previous.then(() => find(name, key, version));
      previous = found.catch(() => undefined);
      return found;
    },
  };
}

function dropOldest(kept: Map<string, SplitGroups>): void {
  let examples = [...kept.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [name, { length }] of kept) {
    if (examples <= MAX_KEPT_EXAMPLES || kept.size === 1) return;
    kept.delete(name);
    examples -= length;
  }
}
