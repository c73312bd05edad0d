import type { Database } from '@clew/persistence';
import type { CheckedSet } from './expectation.ts';
import type { ExpectationStore } from './expectations.store.ts';

/** Reads the sets of those projects that have ever had Expectations. */
export type CheckedSets = (projectIds: readonly string[]) => Promise<ReadonlyMap<string, CheckedSet>>;

/** Projects whose sets a process remembers. */
const MAX_REMEMBERED = 200;

/** Reads the sets of many projects; an unchanged set costs only the read of its revision. */
export function createCheckedSets(
  database: Database,
  expectations: Pick<ExpectationStore, 'revisions' | 'checked'>,
): CheckedSets {
  const read = (projectId: string) => database.withTransaction((tx) => expectations.checked(tx, projectId));
  const remembered = new Map<string, CheckedSet>();
  return async (projectIds) => {
    const revisions = await expectations.revisions([...new Set(projectIds)]);
    const sets = new Map<string, CheckedSet>();
    for (const [projectId, revision] of revisions) {
      if (revision === 0) continue;
      const known = remembered.get(projectId);
      const set = known?.revision === revision ? known : await read(projectId);
      remembered.delete(projectId);
      remembered.set(projectId, set);
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
      sets.set(projectId, set);
    }
    return sets;
  };
}
