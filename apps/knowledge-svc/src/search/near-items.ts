import { LRUCache } from 'lru-cache';
import type { ItemStatus } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import type { EmbedQuery } from './embed-query.ts';
import { createFindNear } from './near-vectors.ts';
import { sieveOf } from './sieve.ts';

export interface Search {
  q: string;
  goalId?: string | undefined;
  status?: ItemStatus | undefined;
  asOf?: number | undefined;
}

/**
 * Finds the ids of items with a similar meaning to a search; none if it cannot be embedded. A repeated search gets the
 * same ids for some minutes, so that its pages belong to one list.
 */
export type NearItems = (projectId: string, search: Search) => Promise<readonly string[]>;

const KEPT_MS = 5 * 60_000;
const MAX_KEPT = 2_000;

export function createNearItems(database: Database, embedQuery: EmbedQuery): NearItems {
  const findNear = createFindNear(database);
  const kept = new LRUCache<string, readonly string[]>({ max: MAX_KEPT, ttl: KEPT_MS });

  return async (projectId, { q, goalId, status, asOf }) => {
    const key = JSON.stringify([projectId, q, goalId, status, asOf]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const query = await embedQuery(projectId, q);
    if (query === undefined) return [];
    const { found } = await findNear({
      ...{ projectId, ...query },
      sieve: sieveOf({ goalId, status, asOf }),
    });
    const ids = found.map(({ id }) => id);
    kept.set(key, ids);
    return ids;
  };
}
