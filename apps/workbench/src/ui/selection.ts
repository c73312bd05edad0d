/** Cursor and selection of a list; ids, so that both survive new rows. */
export interface ListState {
  readonly cursor: string | null;
  readonly selected: ReadonlySet<string>;
}

export type ListMove = 'next' | 'previous' | 'first' | 'last';

export const EMPTY_LIST: ListState = { cursor: null, selected: new Set() };

/** Row to which a move leads; the first where there is no cursor, and where its row is gone. */
export function moved(ids: readonly string[], cursor: string | null, move: ListMove): string | null {
  const at = cursor === null ? -1 : ids.indexOf(cursor);
  const targets: Record<ListMove, number> = { next: at + 1, previous: at - 1, first: 0, last: ids.length - 1 };
  return ids[Math.max(0, Math.min(ids.length - 1, targets[move]))] ?? null;
}

/** Selects a row, or leaves it out. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Moves the cursor and selects the row that it leaves and the one that it reaches. */
export function extended(ids: readonly string[], { cursor, selected }: ListState, move: ListMove): ListState {
  const target = moved(ids, cursor, move);
  return { cursor: target, selected: new Set([...selected, cursor, target].filter((id) => id !== null)) };
}

/** Row under the cursor after some rows have gone: the next one that stays, else the last before it. */
export function cursorWithout(ids: readonly string[], cursor: string | null, gone: ReadonlySet<string>): string | null {
  const at = cursor === null ? -1 : ids.indexOf(cursor);
  if (at < 0) return null;
  const after = ids.slice(at).find((id) => !gone.has(id));
  return after ?? ids.slice(0, at).findLast((id) => !gone.has(id)) ?? null;
}
