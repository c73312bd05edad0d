import { notFound } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { itemEvents } from './item-events.ts';
import { countChange, type Author, type ItemKey, type Reviewer, type StoredItem } from './item.ts';
import type { ItemStore } from './items.store.ts';
import { linkedChanges, type Change } from './supersession.ts';
import type { WriteItemDependencies } from './write-item.ts';

export interface ReviewConditions {
  requestId: string;
  reviewer: { kind: 'user' | 'key'; id: string };
  /** Checks the item before the change; it may throw. */
  check: (current: StoredItem) => void;
}

/** Stores a person's change of an item, and what follows from it for others; the same item is no change. */
export type ReviewIn = (
  tx: Transaction,
  key: ItemKey,
  conditions: ReviewConditions,
  change: (before: StoredItem, by: Reviewer, tx: Transaction) => StoredItem | Promise<StoredItem>,
) => Promise<StoredItem>;

/** Reads an item. Throws NOT_FOUND. */
export async function requireItem(items: Pick<ItemStore, 'get'>, key: ItemKey, tx?: Transaction): Promise<StoredItem> {
  const item = await items.get(key, tx);
  if (item === undefined) throw notFound();
  return item;
}

export function createReviewIn({ items, goals, outbox, clock, likenessOf }: WriteItemDependencies): ReviewIn {
  async function saveChange(tx: Transaction, before: StoredItem, after: StoredItem, author: Author): Promise<void> {
    await items.save(tx, after, author, after.content === before.content ? {} : likenessOf(after));
    const key = { projectId: after.projectId, goalId: after.goalId };
    await goals.count(tx, key, countChange(before.status, after.status));
  }

  return async (tx, key, { requestId, reviewer, check }, change) => {
    const before = await requireItem(items, key, tx);
    check(before);
    const nowMs = clock.now();
    const changed = await change(before, { id: reviewer.id, nowMs }, tx);
    if (changed === before) return before;
    const { after, others } = await linkedChanges(items, tx, [before, changed]);
    const all: Change[] = [[before, after], ...others];
    for (const [was, is] of all) await saveChange(tx, was, is, reviewer);
    const events = all.map(([, is]) => is);
    await outbox.appendMany(tx, itemEvents(events, { projectId: key.projectId, requestId, nowMs }));
    return after;
  };
}
