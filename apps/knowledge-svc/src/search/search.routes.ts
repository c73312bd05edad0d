import { recallKnowledge, searchKnowledge } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { packedContext } from './packed-context.ts';
import type { SearchItems } from './search-items.ts';

/** Items that are searched for one context; the best that fit are packed. */
const MAX_OF_CONTEXT = 50;

export function searchRoutes(searchItems: SearchItems): Route[] {
  return [
    route(searchKnowledge, async ({ params, query }) => answer(200, await searchItems(params.projectId, query))),
    route(recallKnowledge, async ({ params, body: { maxTokens, ...search } }) => {
      const { items, lookedAt } = await searchItems(params.projectId, { ...search, k: MAX_OF_CONTEXT });
      const current = items.filter(({ isCurrent }) => isCurrent).map(({ item }) => item);
      return answer(200, { ...packedContext(current, maxTokens), lookedAt });
    }),
  ];
}
