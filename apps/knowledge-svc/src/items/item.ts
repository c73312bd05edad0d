import type { ItemEvidence, ItemStatus, KnowledgeItem, KnowledgeItemChange, ItemRevision } from '@clew/contracts';

/** Stored Knowledge item, as callers see it; the fields for finding it are in `item.model.ts`. */
export type StoredItem = KnowledgeItem;

export type Author = ItemRevision['author'];

export interface ItemKey {
  projectId: string;
  itemId: string;
}

/** Applies a person's change to an item. Each change counts as a review, even one that repeats what the item says. */
export function reviewedItem(
  item: StoredItem,
  change: KnowledgeItemChange,
  reviewer: { id: string; nowMs: number },
): StoredItem {
  const status = change.status ?? item.status;
  const title = change.title ?? item.title;
  const content = change.content ?? item.content;
  const kind = change.kind ?? item.kind;
  // Activating an item that was replaced means that it is valid after all.
  const supersededBy = status === 'active' ? null : item.supersededBy;
  // An archived item replaces no other one.
  const supersedes = status === 'archived' ? null : item.supersedes;
  return {
    ...item,
    ...{ status, title, content, kind, supersedes, supersededBy },
    ...{ reviewedAt: reviewer.nowMs, reviewedBy: reviewer.id },
    ...{ revision: item.revision + 1, updatedAt: reviewer.nowMs },
  };
}

/** Whether a person has reviewed the item; machines then no longer change it. */
export function isReviewed({ reviewedAt }: Pick<StoredItem, 'reviewedAt'>): boolean {
  return reviewedAt !== null;
}

/** Change of a goal's item counts when one of its items changes status. */
export function countChange(before: ItemStatus | undefined, after: ItemStatus | undefined) {
  const of = (status: ItemStatus) => Number(after === status) - Number(before === status);
  return { active: of('active'), archived: of('archived') };
}

/** Traces of an item's source and of its evidence. */
export function tracesOf({ sourceTraceId, evidence }: Pick<StoredItem, 'sourceTraceId' | 'evidence'>): string[] {
  return [...new Set([sourceTraceId, ...evidence.map(({ traceId }) => traceId)])];
}

export function conversationsOf(evidence: readonly Pick<ItemEvidence, 'conversationId'>[]): string[] {
  return [...new Set(evidence.map(({ conversationId }) => conversationId))];
}

/** Strong entity tag: the content of an item is fixed by its revision. */
export function itemEtag({ id, revision }: Pick<StoredItem, 'id' | 'revision'>): string {
  return `"${id}.${revision}"`;
}
