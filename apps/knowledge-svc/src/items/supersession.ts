import type { Transaction } from '@clew/persistence';
import { releasedItem, supersededItem, type StoredItem } from './item.ts';
import type { ItemStore } from './items.store.ts';

/** Item before and after a change. */
export type Change = readonly [before: StoredItem, after: StoredItem];

/** Maximum items that are no longer possibly outdated once another one is archived. */
const MAX_OUTDATED = 100;

/**
 * Brings the items at the other end of a supersession in line with a person's change of one item: both sides always say
 * the same. Returns the item with the links that hold, and the changes of the others.
 */
export async function linkedChanges(
  store: ItemStore,
  tx: Transaction,
  [before, after]: Change,
): Promise<{ after: StoredItem; others: Change[] }> {
  const { projectId, updatedAt } = after;
  const others = new Map<string, Change>();
  const read = async (itemId: string | null) => {
    if (itemId === null) return undefined;
    return others.get(itemId)?.[1] ?? (await store.get({ projectId, itemId }, tx));
  };
  const change = (other: StoredItem, changes: Partial<StoredItem>) => {
    const [was] = others.get(other.id) ?? [other];
    others.set(other.id, [was, { ...other, ...changes, revision: was.revision + 1, updatedAt }]);
  };
  let linked = after;

  if (before.supersededBy !== after.supersededBy) {
    const former = await read(before.supersededBy);
    if (former?.supersedes === after.id) change(former, { supersedes: null });
    const later = await read(after.supersededBy);
    if (later?.status === 'active' && later.supersedes === null) change(later, { supersedes: after.id });
    else linked = { ...linked, supersededBy: null };
  }
  if (before.supersedes !== after.supersedes) {
    const former = await read(before.supersedes);
    if (former?.supersededBy === after.id) change(former, releasedItem(former, updatedAt));
    const later = await read(after.supersedes);
    if (later?.status === 'active') change(later, supersededItem(later, after, updatedAt));
    else linked = { ...linked, supersedes: null };
  }
  if (before.status === 'active' && after.status === 'archived') {
    for (const { id } of await store.outdatedBy(tx, after, MAX_OUTDATED)) {
      const other = await read(id);
      if (other !== undefined) change(other, { possiblyOutdatedBy: null });
    }
  }
  return { after: linked, others: [...others.values()] };
}
