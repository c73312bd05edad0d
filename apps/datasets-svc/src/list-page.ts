import { AppError, type CursorCodec, type CursorKey, type CursorScope } from '@clew/kernel';

/** The position that a cursor names in its list; throws INVALID_CURSOR for one of another list, filter or project. */
export function positionOf(cursors: CursorCodec, scope: CursorScope, cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const position = cursors.decode(scope, cursor);
  if (position !== undefined) return position;
  throw new AppError('INVALID_CURSOR', 'The cursor is not valid for this list', {
    details: [{ path: 'query.cursor', message: 'is not valid for this list' }],
  });
}

export interface Page<Item> {
  items: Item[];
  /** Whether there is more after them. */
  more: boolean;
}

/** The cursor of the page that follows, or null. */
export function nextCursorOf<Item>(
  cursors: CursorCodec,
  scope: CursorScope,
  { items, more }: Page<Item>,
  keyOf: (item: Item) => CursorKey,
): string | null {
  const last = items.at(-1);
  return more && last !== undefined ? cursors.encode(scope, keyOf(last)) : null;
}

export interface PageBounds<Item> {
  limit: number;
  /** A page ends before it gets larger, unless it has nothing yet. */
  maxSize: number;
  sizeOf: (item: Item) => number;
}

/** Takes one page from a walk, and ends the walk. */
export async function takePage<Item>(walk: AsyncIterable<Item>, bounds: PageBounds<Item>): Promise<Page<Item>> {
  const items: Item[] = [];
  let size = 0;
  for await (const item of walk) {
    size += bounds.sizeOf(item);
    if (items.length === bounds.limit || (items.length > 0 && size > bounds.maxSize)) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}
