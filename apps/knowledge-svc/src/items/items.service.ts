import type { ItemCountQuery, ItemRevision, ItemsQuery, KnowledgeItem, KnowledgeItemChange } from '@clew/contracts';
import { AppError, page, type CursorCodec, type PageQuery } from '@clew/kernel';
import { reviewedItem, type ItemKey } from './item.ts';
import type { ItemFilter } from './item-lists.store.ts';
import { ITEM_REVISIONS, ITEMS } from './items.store.ts';
import { restoredItem } from './restored-item.ts';
import { createReviewIn, requireItem, type ReviewConditions, type ReviewIn } from './review-item.ts';
import { searchTermsOf } from './search-terms.ts';
import { createUpdateItems } from './update-items.ts';
import { createWriteItem, type WriteItemDependencies } from './write-item.ts';

export interface ItemsDependencies extends WriteItemDependencies {
  cursors: CursorCodec;
  /**
   * Finds items with a similar meaning to a search, whatever their words. Returns ids, the same for all pages of a
   * search.
   */
  near(projectId: string, search: { q: string } & Pick<ItemFilter, 'goalId' | 'status'>): Promise<readonly string[]>;
}

export type ItemsService = ReturnType<typeof createItemsService>;

export function createItemsService(dependencies: ItemsDependencies) {
  const { database, items, cursors } = dependencies;

  const write = createWriteItem(dependencies);

  const reviewIn = createReviewIn(dependencies);
  const review = (key: ItemKey, conditions: ReviewConditions, change: Parameters<ReviewIn>[3]) =>
    database.withTransaction((tx) => reviewIn(tx, key, conditions, change));

  return {
    get: (key: ItemKey): Promise<KnowledgeItem> => requireItem(items, key),

    /** Reads items in the order of their ids, whatever their state; those that do not exist are left out. */
    async read(projectId: string, itemIds: readonly string[]): Promise<KnowledgeItem[]> {
      const found = await items.getMany(projectId, itemIds);
      return [...new Set(itemIds)].flatMap((itemId) => found.get(itemId) ?? []);
    },

    /** Lists active items as those who make Examples of them need them, the newest first. */
    async active(projectId: string, { limit, cursor }: PageQuery) {
      const filters = { status: 'active' as const };
      const request = { projectId, filters: { ...filters, of: 'active items' }, limit, cursor };
      const { items: found, nextCursor } = await page(cursors, ITEMS, request, (slice) =>
        items.list(projectId, filters, slice),
      );
      return {
        items: found.map(({ id: itemId, goalId, createdAt }) => ({ itemId, goalId, createdAt })),
        nextCursor,
      };
    },

    list: (projectId: string, { limit, cursor, ...filters }: ItemsQuery) =>
      page(cursors, ITEMS, { projectId, filters, limit, cursor }, async (slice) => {
        const { q, goalId, status } = filters;
        const isOfWords = q !== undefined && searchTermsOf(q).length > 0;
        const near = isOfWords ? await dependencies.near(projectId, { q, goalId, status }) : [];
        return await items.list(projectId, filters, slice, near);
      }),

    count: (projectId: string, { by = [], ...filter }: ItemCountQuery) => items.count(projectId, filter, by),

    walk: (projectId: string, filter: Pick<ItemFilter, 'goalId' | 'status' | 'subject'>) =>
      items.walk(projectId, filter),

    async revisions(key: ItemKey, query: PageQuery) {
      await requireItem(items, key);
      const request = { projectId: key.projectId, filters: { itemId: key.itemId }, ...query };
      const found = await page(cursors, ITEM_REVISIONS, request, (slice) => items.revisions(key, slice));
      const revisions = found.items.map(({ revision, author, item, createdAt }): ItemRevision => {
        return { revision, author, item: { ...item, projectId: key.projectId }, createdAt };
      });
      return { revisions, nextCursor: found.nextCursor };
    },

    write,

    update(key: ItemKey, change: KnowledgeItemChange, conditions: ReviewConditions): Promise<KnowledgeItem> {
      return review(key, conditions, (before, reviewer) => reviewedItem(before, change, reviewer));
    },

    updateMany: createUpdateItems(database, reviewIn),

    undo(key: ItemKey, conditions: ReviewConditions): Promise<KnowledgeItem> {
      return review(key, conditions, async (before, reviewer, tx) => {
        const earlier = await items.revisionBefore(tx, before);
        if (earlier === undefined) throw new AppError('CONFLICT', 'The item has no revision before this one');
        return restoredItem(before, earlier.item, reviewer);
      });
    },
  };
}
