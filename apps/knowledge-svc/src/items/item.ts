import type { ItemEvidence, ItemStatus, KnowledgeItem, KnowledgeItemChange, ItemRevision } from '@clew/contracts';

/** What conversations teach, as it is stored: what callers see, and what it is found by. */
export type StoredItem = KnowledgeItem;

export type Author = ItemRevision['author'];

export interface ItemKey {
  projectId: string;
  itemId: string;
}

/** What a person makes of an item. A change to what it is already says that it is right: a review, too. */
export function reviewedItem(
  item: StoredItem,
  change: KnowledgeItemChange,
  reviewer: { id: string; nowMs: number },
): StoredItem {
  const status = change.status ?? item.status;
  const title = change.title ?? item.title;
  const content = change.content ?? item.content;
  const kind = change.kind ?? item.kind;
  // Setting an item active that another one has replaced says that it holds after all.
  const supersededBy = status === 'active' ? null : item.supersededBy;
  // One that is archived replaces nothing any more.
  const supersedes = status === 'archived' ? null : item.supersedes;
  return {
    ...item,
    ...{ status, title, content, kind, supersedes, supersededBy },
    ...{ reviewedAt: reviewer.nowMs, reviewedBy: reviewer.id },
    ...{ revision: item.revision + 1, updatedAt: reviewer.nowMs },
  };
}

/** Whether a person, and so no machine any more, decides what it says. */
export function isReviewed({ reviewedAt }: Pick<StoredItem, 'reviewedAt'>): boolean {
  return reviewedAt !== null;
}

/** How the counts of a goal change when one of its items becomes another. */
export function countChange(before: ItemStatus | undefined, after: ItemStatus | undefined) {
  const of = (status: ItemStatus) => Number(after === status) - Number(before === status);
  return { active: of('active'), archived: of('archived') };
}

/** The traces that an item is backed by. */
export function tracesOf({ sourceTraceId, evidence }: Pick<StoredItem, 'sourceTraceId' | 'evidence'>): string[] {
  return [...new Set([sourceTraceId, ...evidence.map(({ traceId }) => traceId)])];
}

export function conversationsOf(evidence: readonly Pick<ItemEvidence, 'conversationId'>[]): string[] {
  return [...new Set(evidence.map(({ conversationId }) => conversationId))];
}

/** A strong entity tag: what an item is belongs to its revision. */
export function itemEtag({ id, revision }: Pick<StoredItem, 'id' | 'revision'>): string {
  return `"${id}.${revision}"`;
}
