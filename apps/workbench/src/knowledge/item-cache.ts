import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Api } from '@clew/sdk';
import { knowledgeKey } from './queries.ts';

type Item = Api.KnowledgeItem;
type CachedList = InfiniteData<{ data: Item[]; nextCursor: string | null }>;

/** Puts items as they are now wherever they are shown. */
export function patchItems(client: QueryClient, projectId: string, items: readonly Item[]): void {
  if (items.length === 0) return;
  const byId = new Map(items.map((item) => [item.id, item]));
  const patched = (list: CachedList): CachedList => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, data: page.data.map((item) => byId.get(item.id) ?? item) })),
  });
  client.setQueriesData<CachedList>({ queryKey: [...knowledgeKey(projectId), 'list'] }, (list) =>
    list === undefined ? list : patched(list),
  );
  for (const item of items) client.setQueryData([...knowledgeKey(projectId), 'one', item.id], item);
}
