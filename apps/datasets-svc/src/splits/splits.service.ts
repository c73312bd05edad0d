import type { DatasetKey, ExampleTraitsStore, ReadableVersion } from '../examples/index.ts';
import { SplitGroups } from './split-groups.ts';

export interface SplitsService {
  /** The groups of a version, found out when they are asked for and kept for a while. */
  groupsOf(key: DatasetKey, version: ReadableVersion): Promise<SplitGroups>;
}

/** What is kept of a million Examples takes some 30 MB. */
const MAX_KEPT_EXAMPLES = 2_000_000;

export function createSplitsService(traits: ExampleTraitsStore): SplitsService {
  /** The one that was used last comes last. */
  const kept = new Map<string, SplitGroups>();
  /** One at a time, since each takes some 150 MB for a million Examples. */
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
