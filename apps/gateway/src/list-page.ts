import { AppError, type CursorCodec, type CursorKey, type CursorScope } from '@clew/kernel';

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** One page of a list that is ordered newest first, by `createdAt` and then id. */
export async function listPage<Item extends { id: string; createdAt: number }>(
  cursors: CursorCodec,
  scope: CursorScope,
  { limit, cursor }: PageRequest,
  read: (page: { limit: number; after: CursorKey | undefined }) => Promise<Item[]>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  if (cursor !== undefined && after === undefined) throw new AppError('INVALID_CURSOR', 'The cursor is not valid');
  // One more than asked for, to know whether there is a next page.
  const found = await read({ limit: limit + 1, after });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const more = found.length > limit && last !== undefined;
  return { items, nextCursor: more ? cursors.encode(scope, [last.createdAt, last.id]) : null };
}
