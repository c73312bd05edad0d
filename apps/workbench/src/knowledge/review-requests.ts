import type { Api } from '@clew/sdk';
import { clew } from '../api/client.ts';
import { visibleText } from '../text/visible-text.ts';
import { inParts, type Decision, type ItemChange, type ItemOutcome } from './queue.ts';

type Item = Api.KnowledgeItem;

/** Change of items that is one deed of the person. */
export interface Deed {
  readonly decision: Exclude<Decision, 'edited' | 'skipped'>;
  readonly parts: readonly { readonly items: readonly Item[]; readonly change: ItemChange }[];
}

/** Deed that can be undone, with the revisions that it made. */
export interface Done {
  readonly itemIds: readonly string[];
  readonly revisions: ReadonlyMap<string, number>;
}

/** Items of a deed. */
export function itemsOf({ parts }: Deed): Item[] {
  return parts.flatMap(({ items }) => items);
}

/** Deed as it was taken, for its undo. */
export function doneOf(outcomes: readonly ItemOutcome[]): Done {
  return {
    itemIds: outcomes.filter(({ outcome }) => outcome !== 'refused').map(({ itemId }) => itemId),
    revisions: new Map(
      outcomes.flatMap(({ itemId, outcome, revision }) =>
        outcome === 'updated' && revision !== undefined ? [[itemId, revision] as const] : [],
      ),
    ),
  };
}

/** Sends a deed, each item at the revision that is known of it. */
export async function sendDeed(
  projectId: string,
  { parts }: Deed,
  known: ReadonlyMap<string, number>,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  for (const { items, change } of parts) {
    for (const part of inParts(items)) {
      const named = part.map(({ id, revision }) => ({ itemId: id, revision: Math.max(revision, known.get(id) ?? 0) }));
      const { results } = await clew.knowledge.items.updateMany({ items: named, change }, { project: projectId });
      outcomes.push(...results);
    }
  }
  return outcomes;
}

interface Undone {
  readonly last: Done | undefined;
  readonly restored: readonly Item[];
  readonly refused: number;
}

/** Undoes a deed, but for items that others have changed since. */
export async function undoLast(projectId: string, last: Done | undefined): Promise<Undone> {
  const restored: Item[] = [];
  let refused = 0;
  for (const [itemId, revision] of last?.revisions ?? []) {
    const { data, etag } = await clew.knowledge.items.get(itemId, { project: projectId }).withResponse();
    if (data.revision === revision) {
      restored.push(await clew.knowledge.items.undo(itemId, { project: projectId, ifMatch: etag }));
    } else refused += 1;
  }
  return { last, restored, refused };
}

/** Reason why an item was not changed. */
export function refusalText(outcome: ItemOutcome | undefined, item: Item | undefined): string {
  const title = visibleText(item?.title ?? '');
  if (outcome?.error?.code === 'PRECONDITION_FAILED') {
    return `“${title}” was changed by somebody else meanwhile. It is shown as it is now: look at it again.`;
  }
  return `“${title}” was not changed: ${outcome?.error?.message ?? 'refused'}`;
}
