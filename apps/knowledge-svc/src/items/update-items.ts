import type { KnowledgeItemChange } from '@clew/contracts';
import { AppError, errorBody, type ErrorDetail } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { isReviewed, reviewedItem, type StoredItem } from './item.ts';
import type { ReviewConditions, ReviewIn } from './review-item.ts';

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

/**
 * Changes items in one way and in one transaction, with the answer to the request: a repeat of it then changes nothing. A
 * refused item does not prevent the others, as it is refused before anything of it is written.
 */
export type UpdateItems = (
  projectId: string,
  update: ItemsUpdate,
  by: Pick<ReviewConditions, 'requestId' | 'reviewer'>,
  inTransaction: (tx: Transaction, results: UpdateResult[]) => Promise<void>,
) => Promise<UpdateResult[]>;

export function createUpdateItems(database: Database, reviewIn: ReviewIn): UpdateItems {
  return (projectId, { items: named, change }, by, inTransaction) =>
    database.withTransaction(async (tx) => {
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
