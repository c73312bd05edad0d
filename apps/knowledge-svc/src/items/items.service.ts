import type { ItemCountQuery, ItemRevision, ItemsQuery, KnowledgeItem, KnowledgeItemChange } from '@clew/contracts';
import { AppError, errorBody, notFound, page, type CursorCodec, type ErrorDetail, type PageQuery } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { itemEvents } from './item-events.ts';
import {
  countChange,
  isReviewed,
  reviewedItem,
  type Author,
  type ItemKey,
  type Reviewer,
  type StoredItem,
} from './item.ts';
import { restoredItem } from './restored-item.ts';
import type { ItemFilter } from './item-lists.store.ts';
import { ITEM_REVISIONS, ITEMS } from './items.store.ts';
import { searchTermsOf } from './search-terms.ts';
import { linkedChanges, type Change } from './supersession.ts';
import { createWriteItem, type WriteItemDependencies } from './write-item.ts';

export interface ItemsDependencies extends WriteItemDependencies {
  cursors: CursorCodec;
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

/** Change of several items, each at the revision that is named, if any. */
export interface ItemsUpdate {
  items: readonly { itemId: string; revision?: number | undefined }[];
  change: KnowledgeItemChange;
}

/** Outcome of one of several changes. */
export interface UpdateResult {
  itemId: string;
  outcome: 'updated' | 'unchanged' | 'refused';
  revision?: number;
  error?: Omit<ReturnType<typeof errorBody>, 'requestId' | 'details'> & { details?: ErrorDetail[] };
}

export type ItemsService = ReturnType<typeof createItemsService>;

export function createItemsService(dependencies: ItemsDependencies) {
  const { database, items, goals, outbox, cursors, clock, likenessOf } = dependencies;

  async function requireItem(key: ItemKey, tx?: Transaction): Promise<StoredItem> {
    const item = await items.get(key, tx);
    if (item === undefined) throw notFound();
    return item;
  }

  const write = createWriteItem(dependencies);

  /** Stores a person's change of an item, and what follows from it for others. */
  async function reviewIn(
    tx: Transaction,
    key: ItemKey,
    { requestId, reviewer, check }: ReviewConditions,
    change: (before: StoredItem, by: Reviewer, tx: Transaction) => StoredItem | Promise<StoredItem>,
  ): Promise<StoredItem> {
    const before = await requireItem(key, tx);
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
  }

  const review = (key: ItemKey, conditions: ReviewConditions, change: Parameters<typeof reviewIn>[3]) =>
    database.withTransaction((tx) => reviewIn(tx, key, conditions, change));

  async function saveChange(tx: Transaction, before: StoredItem, after: StoredItem, author: Author): Promise<void> {
    await items.save(tx, after, author, after.content === before.content ? {} : likenessOf(after));
    const key = { projectId: after.projectId, goalId: after.goalId };
    await goals.count(tx, key, countChange(before.status, after.status));
  }

  return {
    get: (key: ItemKey): Promise<KnowledgeItem> => requireItem(key),

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
      await requireItem(key);
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

    /**
     * Changes items in one way and in one transaction, with the answer to the request: a repeat of it then changes
     * nothing. A refused item does not prevent the others, as it is refused before anything of it is written.
     */
    updateMany(
      projectId: string,
      { items: named, change }: ItemsUpdate,
      by: Pick<ReviewConditions, 'requestId' | 'reviewer'>,
      inTransaction: (tx: Transaction, results: UpdateResult[]) => Promise<void>,
    ): Promise<UpdateResult[]> {
      return database.withTransaction(async (tx) => {
        const results: UpdateResult[] = [];
        for (const { itemId, revision } of named) {
          const check = (current: StoredItem) => requireRevision(current, revision);
          let outcome: 'updated' | 'unchanged' = 'updated';
          const changed = reviewIn(tx, { projectId, itemId }, { ...by, check }, (before, reviewer) => {
            const after = reviewedItem(before, change, reviewer);
            outcome = isReviewed(before) && saysTheSame(before, after) ? 'unchanged' : 'updated';
            return outcome === 'unchanged' ? before : after;
          });
          results.push(
            await changed.then(
              (item): UpdateResult => ({ itemId, outcome, revision: item.revision }),
              (error: unknown) => refusedResult(itemId, error),
            ),
          );
        }
        await inTransaction(tx, results);
        return results;
      });
    },

    undo(key: ItemKey, conditions: ReviewConditions): Promise<KnowledgeItem> {
      return review(key, conditions, async (before, reviewer, tx) => {
        const earlier = await items.revisionBefore(tx, before);
        if (earlier === undefined) throw new AppError('CONFLICT', 'The item has no revision before this one');
        return restoredItem(before, earlier.item, reviewer);
      });
    },
  };
}

function requireRevision(current: StoredItem, revision: number | undefined): void {
  if (revision === undefined || revision === current.revision) return;
  throw new AppError('PRECONDITION_FAILED', 'It has changed since the revision that was named');
}

/** Whether a review left everything but itself as it was. */
function saysTheSame(before: StoredItem, after: StoredItem): boolean {
  const { reviewedAt, reviewedBy, revision, updatedAt } = before;
  return JSON.stringify(before) === JSON.stringify({ ...after, reviewedAt, reviewedBy, revision, updatedAt });
}

function refusedResult(itemId: string, error: unknown): UpdateResult {
  if (!(error instanceof AppError)) throw error;
  const { requestId: _requestId, details, ...body } = errorBody(error, '');
  return {
    itemId,
    outcome: 'refused',
    error: { ...body, ...(details === undefined ? {} : { details: [...details] }) },
  };
}
