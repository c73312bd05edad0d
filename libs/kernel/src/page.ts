import { AppError } from './app-error.ts';
import type { CursorCodec, CursorKey } from './cursor.ts';

/** Identity of a list: its cursors are valid for no other list. */
export interface ListDefinition {
  name: string;
  /** Code of the error for an invalid cursor; `INVALID_CURSOR` by default. */
  invalidCursor?: 'INVALID_CURSOR' | 'INVALID_FILTER';
}

/** Common parameters of list queries. */
export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

/** Request for one page. A cursor is bound to the project and to the filters. */
export interface PageRequest extends PageQuery {
  projectId: string;
  filters?: Readonly<Record<string, unknown>>;
}

/** Request for the items after a key in the order of a list, at most `limit` of them. */
export interface SliceRequest {
  limit: number;
  after?: CursorKey | undefined;
}

export interface Slice<Item> {
  items: Item[];
  /** Key after which the next slice begins; undefined if this slice is the last. */
  next: CursorKey | undefined;
}

/**
 * Reads one page of a list: decodes the cursor, lets `read` read the items after it, and encodes the cursor of the next
 * page. Other members that `read` returns beside `items` and `next` are passed on. Throws before reading for a cursor
 * that was changed, or belongs to another list, project or filter.
 */
export async function page<Read extends Slice<unknown>>(
  cursors: CursorCodec,
  list: ListDefinition,
  { projectId, filters = {}, limit, cursor }: PageRequest,
  read: (slice: SliceRequest) => Promise<Read>,
): Promise<Omit<Read, 'next'> & { nextCursor: string | null }> {
  const scope = { list: list.name, projectId, filters };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  if (cursor !== undefined && after === undefined) throw invalidCursor(list);
  const { next, ...answered } = await read({ limit, after });
  return { ...answered, nextCursor: next === undefined ? null : cursors.encode(scope, next) };
}

function invalidCursor({ invalidCursor: code = 'INVALID_CURSOR' }: ListDefinition): AppError {
  const message = 'is not valid for this list and these filters';
  return new AppError(code, `The cursor ${message}`, { details: [{ path: 'query.cursor', message }] });
}

/** Items in the order of their list; the reader ends the iteration. */
export type Walk<Item> = AsyncIterable<Item> | Iterable<Item>;

export interface SliceLimits<Item> {
  limit: number;
  keyOf: (item: Item) => CursorKey;
  /** Maximum size: a slice ends before it exceeds this, unless it is empty. */
  size?: { max: number; of: (item: Item) => number };
  /** Filter: rejected items are skipped; after `maxLookedAt` examined items the slice ends. */
  among?: { accepts: (item: Item) => boolean; maxLookedAt: number };
}

/** Takes one slice from a walk, and ends the walk. */
export async function takeSlice<Item>(
  walk: Walk<Item>,
  { limit, keyOf, size, among }: SliceLimits<Item>,
): Promise<Slice<Item>> {
  const items: Item[] = [];
  let lookedAt = 0;
  let total = 0;
  let reached: CursorKey | undefined;
  for await (const item of walk) {
    if (among?.accepts(item) !== false) {
      if (items.length === limit) return { items, next: reached };
      total += size?.of(item) ?? 0;
      if (items.length > 0 && size !== undefined && total > size.max) return { items, next: reached };
      items.push(item);
    }
    reached = keyOf(item);
    lookedAt += 1;
    if (lookedAt === among?.maxLookedAt) return { items, next: reached };
  }
  return { items, next: undefined };
}

/**
 * Merges two walks of the same order; of equal items, those of `first` come first. The walks are read alternately and
 * never concurrently, so that both may read in one database session.
 */
export async function* mergeOrdered<Item>(
  first: Walk<Item>,
  second: Walk<Item>,
  compare: (a: Item, b: Item) => number,
): AsyncGenerator<Item> {
  const left = iteratorOf(first);
  const right = iteratorOf(second);
  try {
    let a = await left.next();
    let b = await right.next();
    for (;;) {
      if (a.done !== true && (b.done === true || compare(a.value, b.value) <= 0)) {
        yield a.value;
        a = await left.next();
      } else if (b.done !== true) {
        yield b.value;
        b = await right.next();
      } else return;
    }
  } finally {
    await Promise.all([left.return?.(), right.return?.()]);
  }
}

function iteratorOf<Item>(walk: Walk<Item>): AsyncIterator<Item> {
  return Symbol.asyncIterator in walk ? walk[Symbol.asyncIterator]() : inTurn(walk);
}

async function* inTurn<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
