import type { ItemRevision, ItemsQuery, KnowledgeItem, KnowledgeItemChange } from '@clew/contracts';
import { notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { GoalStore } from '../goals/index.ts';
import { itemEvents } from './item-events.ts';
import { countChange, reviewedItem, type Author, type ItemKey, type StoredItem } from './item.ts';
import { ITEM_REVISIONS, ITEMS, type ItemFilter, type ItemStore } from './items.store.ts';
import { searchTermsOf } from './search-terms.ts';

export interface ItemsDependencies {
  database: Database;
  items: ItemStore;
  goals: GoalStore;
  outbox: Outbox;
  cursors: CursorCodec;
  clock: Clock;
  /** Computes the fields for finding similar items again, after the content has changed. */
  likenessOf(item: StoredItem): object;
  /**
   * Finds items with a similar meaning to a search, whatever their words. Returns ids, the same for all pages of a
   * search.
   */
  near(projectId: string, search: { q: string } & Pick<ItemFilter, 'goalId' | 'status'>): Promise<readonly string[]>;
}

export interface ReviewConditions {
  requestId: string;
  reviewer: { kind: 'user' | 'key'; id: string };
  /** Checks the item before the change; it may throw. */
  check: (current: StoredItem) => void;
}

export type ItemsService = ReturnType<typeof createItemsService>;

export function createItemsService(dependencies: ItemsDependencies) {
  const { database, items, goals, outbox, cursors, clock, likenessOf } = dependencies;

  async function requireItem(key: ItemKey, tx?: Transaction): Promise<StoredItem> {
    const item = await items.get(key, tx);
    if (item === undefined) throw notFound();
    return item;
  }

  /** Items at the other end of a supersession that a person has undone, each before and after the change. */
  async function released(tx: Transaction, before: StoredItem, after: StoredItem): Promise<[StoredItem, StoredItem][]> {
    const { projectId, updatedAt } = after;
    const changed: [StoredItem, StoredItem][] = [];
    const release = async (itemId: string, change: (other: StoredItem) => Partial<StoredItem> | undefined) => {
      const other = await items.get({ projectId, itemId }, tx);
      const changes = other === undefined ? undefined : change(other);
      if (other === undefined || changes === undefined) return;
      changed.push([other, { ...other, ...changes, revision: other.revision + 1, updatedAt }]);
    };
    if (before.supersededBy !== null && after.supersededBy === null) {
      await release(before.supersededBy, (other) => (other.supersedes === after.id ? { supersedes: null } : undefined));
    }
    if (before.supersedes !== null && after.supersedes === null) {
      await release(before.supersedes, (other) =>
        other.supersededBy === after.id ? { status: 'active', supersededBy: null } : undefined,
      );
    }
    return changed;
  }

  async function saveChange(tx: Transaction, before: StoredItem, after: StoredItem, author: Author): Promise<void> {
    await items.save(tx, after, author, after.content === before.content ? {} : likenessOf(after));
    const key = { projectId: after.projectId, goalId: after.goalId };
    await goals.count(tx, key, countChange(before.status, after.status));
  }

  return {
    get: (key: ItemKey): Promise<KnowledgeItem> => requireItem(key),

    list: (projectId: string, { limit, cursor, ...filters }: ItemsQuery) =>
      page(cursors, ITEMS, { projectId, filters, limit, cursor }, async (slice) => {
        const { q, goalId, status } = filters;
        const isOfWords = q !== undefined && searchTermsOf(q).length > 0;
        const near = isOfWords ? await dependencies.near(projectId, { q, goalId, status }) : [];
        return await items.list(projectId, filters, slice, near);
      }),

    walk: (projectId: string, filter: Pick<ItemFilter, 'goalId' | 'status'>) => items.walk(projectId, filter),

    async revisions(key: ItemKey, query: PageQuery) {
      await requireItem(key);
      const request = { projectId: key.projectId, filters: { itemId: key.itemId }, ...query };
      const found = await page(cursors, ITEM_REVISIONS, request, (slice) => items.revisions(key, slice));
      const revisions = found.items.map(({ revision, author, item, createdAt }): ItemRevision => {
        return { revision, author, item: { ...item, projectId: key.projectId }, createdAt };
      });
      return { revisions, nextCursor: found.nextCursor };
    },

    update(key: ItemKey, change: KnowledgeItemChange, conditions: ReviewConditions): Promise<KnowledgeItem> {
      const { requestId, reviewer, check } = conditions;
      return database.withTransaction(async (tx) => {
        const before = await requireItem(key, tx);
        check(before);
        const nowMs = clock.now();
        const after = reviewedItem(before, change, { id: reviewer.id, nowMs });
        const others = await released(tx, before, after);
        await saveChange(tx, before, after, reviewer);
        for (const [was, is] of others) await saveChange(tx, was, is, reviewer);
        const changed = [after, ...others.map(([, is]) => is)];
        await outbox.appendMany(tx, itemEvents(changed, { projectId: key.projectId, requestId, nowMs }));
        return after;
      });
    },
  };
}
