import type { Api } from '@clew/sdk';

type Item = Api.KnowledgeItem;
export type ItemOutcome = Api.UpdateItemsResponse['results'][number];
/** Change that one item or many can have in common. */
export type ItemChange = Api.UpdateItemsData['body']['change'];

/** Decision of the person about an item, since the list was read. */
export type Decision = 'accepted' | 'archived' | 'edited' | 'kind' | 'skipped';
export type Decisions = ReadonlyMap<string, Decision>;

export const DECISION_LABELS: Readonly<Record<Decision, string>> = {
  accepted: 'Accepted',
  archived: 'Archived',
  edited: 'Edited',
  kind: 'Kind changed',
  skipped: 'Skipped',
};

/** Item that comes after one that was decided: the next open one, else the first that is still open, else the next. */
export function nextOpen(ids: readonly string[], cursor: string | null, decided: Decisions): string | null {
  const at = cursor === null ? -1 : ids.indexOf(cursor);
  const isOpen = (id: string) => !decided.has(id) && id !== cursor;
  return ids.slice(at + 1).find(isOpen) ?? ids.find(isOpen) ?? ids[at + 1] ?? cursor;
}

export interface QueueProgress {
  /** Place of the cursor, from 1; 0 without one. */
  readonly position: number;
  readonly total: number;
  readonly decided: number;
  /** Share of the queue that is decided. */
  readonly share: number;
}

/** How far the queue is. Its total is the one from when it was read: what is decided stays in it. */
export function queueProgress(
  ids: readonly string[],
  cursor: string | null,
  counted: number | undefined,
  decisions: Decisions,
): QueueProgress {
  const total = Math.max(counted ?? 0, ids.length);
  const decided = [...decisions.values()].filter((decision) => decision !== 'skipped').length;
  const position = cursor === null ? 0 : ids.indexOf(cursor) + 1;
  return { position, total, decided, share: total === 0 ? 0 : Math.min(1, decided / total) };
}

/** Item as it will be after a change, until the API says how it is. */
export function changedItem(item: Item, change: ItemChange, reviewer: string, nowMs: number): Item {
  const { status = item.status, kind = item.kind } = change;
  return { ...item, status, kind, possiblyOutdatedBy: null, reviewedAt: nowMs, reviewedBy: reviewer };
}

/** Several changes of one deed: items of each status are accepted as what they are. */
export function acceptChanges(items: readonly Item[]): { items: Item[]; change: ItemChange }[] {
  return (['active', 'archived'] as const)
    .map((status) => ({ items: items.filter((item) => item.status === status), change: { status } }))
    .filter((each) => each.items.length > 0);
}

const MAX_AT_ONCE = 100;

/** Items in parts that the API takes at once. */
export function inParts<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += MAX_AT_ONCE) parts.push(items.slice(from, from + MAX_AT_ONCE));
  return parts;
}

/** Sums up outcomes: `12 archived, 1 refused`. */
export function summaryOf(outcomes: readonly ItemOutcome[], decision: Decision): string {
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length;
  const done = outcomes.length - refused;
  const told = [
    ...(done === 0 ? [] : [`${done} ${DECISION_LABELS[decision].toLowerCase()}`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  return told.length === 0 ? 'Nothing changed' : told.join(', ');
}

/** Decisions after one about some items; undefined takes theirs back. */
export function withDecision(before: Decisions, itemIds: readonly string[], decision: Decision | undefined): Decisions {
  const next = new Map(before);
  for (const id of itemIds) {
    if (decision === undefined) next.delete(id);
    else next.set(id, decision);
  }
  return next;
}
