import type { ItemEvidence, ItemStatus, KnowledgeItem, KnowledgeItemChange, ItemRevision } from '@clew/contracts';
import { AppError } from '@clew/kernel';

/** Stored Knowledge item, as callers see it; the fields for finding it are in `item.model.ts`. */
export type StoredItem = KnowledgeItem;

export type Author = ItemRevision['author'];

/** Status, with superseded items told from those that a person archived. */
export type Standing = ItemStatus | 'superseded';

export interface ItemKey {
  projectId: string;
  itemId: string;
}

/** Person or key that changes an item. */
export interface Reviewer {
  id: string;
  nowMs: number;
}

/** Fields of an item by which a search sifts, as the indexes hold them. */
export interface Sifted {
  goalId: string;
  standing: Standing;
  heldFrom: number;
  heldUntil: number | null;
}

/** Standings of each status; without a status, superseded items are left out. */
export const STANDINGS: Readonly<Record<ItemStatus | 'any', readonly Standing[]>> = {
  active: ['active'],
  archived: ['archived', 'superseded'],
  any: ['active', 'archived'],
};

export function isOfStatus({ standing }: Pick<Sifted, 'standing'>, status: ItemStatus | undefined): boolean {
  return STANDINGS[status ?? 'any'].includes(standing);
}

/** Whether an item was held at a time: it began before, and neither ended nor was replaced until then. */
export function isHeld({ standing, heldFrom, heldUntil }: Omit<Sifted, 'goalId'>, asOf: number): boolean {
  return standing !== 'archived' && heldFrom <= asOf && (heldUntil === null || heldUntil > asOf);
}

export function standingOf({ status, supersededBy }: Pick<StoredItem, 'status' | 'supersededBy'>): Standing {
  return status === 'archived' && supersededBy !== null ? 'superseded' : status;
}

/** Applies a person's change to an item. Each change counts as a review, even one that repeats what the item says. */
export function reviewedItem(item: StoredItem, change: KnowledgeItemChange, reviewer: Reviewer): StoredItem {
  const status = change.status ?? item.status;
  const title = change.title ?? item.title;
  const content = change.content ?? item.content;
  const kind = change.kind ?? item.kind;
  const subject = change.subject === undefined ? item.subject : { ...change.subject, userId: null };
  // Activating an item that was replaced means that it is valid after all.
  const supersededBy = status === 'active' ? null : item.supersededBy;
  // An archived item replaces no other one.
  const supersedes = status === 'archived' ? null : item.supersedes;
  return {
    ...item,
    ...{ status, title, content, kind, subject, supersedes, supersededBy, possiblyOutdatedBy: null },
    ...validityOf({ ...item, supersededBy }, change),
    ...reviewOf(item, reviewer),
  };
}

/** Fields of a review. */
export function reviewOf({ revision }: Pick<StoredItem, 'revision'>, { id, nowMs }: Reviewer) {
  return { reviewedAt: nowMs, reviewedBy: id, revision: revision + 1, updatedAt: nowMs };
}

/** Times of an item after a person's change. Throws VALIDATION_FAILED if it would end before it begins. */
function validityOf(item: StoredItem, change: Pick<KnowledgeItemChange, 'validFrom' | 'validUntil'>) {
  const validFrom = change.validFrom === undefined ? item.validFrom : change.validFrom;
  const validUntil = change.validUntil === undefined ? item.validUntil : change.validUntil;
  if (validFrom !== null && validUntil !== null && validFrom >= validUntil) {
    throw new AppError('VALIDATION_FAILED', 'body.validUntil: must be after validFrom', {
      details: [{ path: 'body.validUntil', message: 'must be after validFrom' }],
    });
  }
  const isSameBeginning = validFrom === item.validFrom;
  return {
    ...{ validFrom, validUntil },
    heldFrom: isSameBeginning ? item.heldFrom : (validFrom ?? item.saidAt),
    heldUntil: item.supersededBy === null ? validUntil : item.heldUntil,
  };
}

/** Item that another one replaces: it is held until that one begins to hold. */
export function supersededItem(item: StoredItem, by: Pick<StoredItem, 'id' | 'heldFrom'>, nowMs: number): StoredItem {
  const until = Math.min(item.validUntil ?? Infinity, by.heldFrom);
  return {
    ...item,
    ...{ status: 'archived', supersededBy: by.id, heldUntil: Math.max(item.heldFrom, until) },
    ...{ revision: item.revision + 1, updatedAt: nowMs },
  };
}

/** Item that no other one replaces any more. */
export function releasedItem(item: StoredItem, nowMs: number): StoredItem {
  return {
    ...item,
    ...{ status: 'active', supersededBy: null, heldUntil: item.validUntil },
    ...{ revision: item.revision + 1, updatedAt: nowMs },
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

type Sources = Pick<StoredItem, 'sourceTraceId' | 'sourceConversationId' | 'evidence'>;

/** Traces of an item's source and of its evidence. */
export function tracesOf({ sourceTraceId, evidence }: Omit<Sources, 'sourceConversationId'>): string[] {
  return distinct([sourceTraceId, ...evidence.map(({ traceId }) => traceId)]);
}

/** Conversations of an item's source and of its evidence. */
export function conversationsOf({ sourceConversationId, evidence }: Omit<Sources, 'sourceTraceId'>): string[] {
  return distinct([sourceConversationId, ...evidence.map(({ conversationId }) => conversationId)]);
}

/** Ids once each; without the empty one of an item that no conversation shows. */
function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id) => id !== ''))];
}

/** Key of a quote, wherever it stands in its conversation. */
export function placeOf({ conversationId, quote }: ItemEvidence): string {
  return `${conversationId}\n${quote}`;
}

/** Strong entity tag: the content of an item is fixed by its revision. */
export function itemEtag({ id, revision }: Pick<StoredItem, 'id' | 'revision'>): string {
  return `"${id}.${revision}"`;
}
